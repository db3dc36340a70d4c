import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../errors.ts'
import { unpackedDocuments, unpackedUpdate } from '../../packed.ts'
import { type ControlFile, reopenControlFile } from '../control/control-file.ts'
import { monotonicUlids } from '../control/ulids.ts'
import { Connections } from '../files/connections.ts'
import { failureOf } from '../protocol/failures.ts'
import type { ImportRequest } from '../protocol/import-requests.ts'
import type { ControlRequest, PackableWriteRequest, WriteRequest } from '../protocol/requests.ts'
import { SeqlockTable } from '../protocol/seqlock-table.ts'
import type { StepRequest } from '../protocol/upkeep-requests.ts'
import { Writer } from '../write/writer.ts'
import { type Batch, ClientPorts } from './client-ports.ts'
import {
  CLOSE,
  clientOf,
  GIVEN_UP,
  type Numbered,
  RELEASE,
  type Reply,
  type ThreadEvent,
  type ThreadMessage,
  type ThreadSettings,
} from './thread-protocol.ts'
import { WalCheckpointer } from './wal-checkpointer.ts'

/** Writes that one transaction takes at most, so that the first of them doesn't wait for the thousandth. */
const GROUP_WRITES = 512
/** Units of JSON text after which a group is full. */
const GROUP_LENGTH = 8 * 1024 * 1024

/** The storage thread that owns every write. */
class WriterThread {
  private readonly parent: MessagePort
  private readonly clients: ClientPorts<PackableWriteRequest | StepRequest | ControlRequest>
  private readonly connections: Connections
  private readonly writer: Writer
  private readonly control: ControlFile
  private readonly versions: SeqlockTable
  private readonly logs: WalCheckpointer
  private queue: Numbered<WriteRequest>[] = []
  /** Of which one is done after each group. */
  private readonly steps: Numbered<StepRequest>[] = []
  private scheduled = false
  private closing = false

  constructor(parent: MessagePort, settings: ThreadSettings) {
    const { dataDir, limits, serviceNames, openApps, pageBytes, progress, versions } = settings
    this.parent = parent
    this.clients = new ClientPorts((batch) => this.take(batch))
    this.control = reopenControlFile(dataDir)
    const onScarce = (): void => parent.postMessage({ event: 'scarce' } satisfies ThreadEvent)
    this.connections = new Connections({ dataDir, mode: 'writer', limit: openApps, pageBytes, onScarce })
    this.logs = new WalCheckpointer({ connections: this.connections, dataDir, openApps })
    const nextUlid = monotonicUlids(this.control, Date.now)
    const onProgress = (id: number): void => {
      if (Atomics.exchange(progress, 0, id) !== GIVEN_UP) return
      Atomics.store(progress, 0, GIVEN_UP)
      throw new AppError('store_unavailable', 'the thread was given up')
    }
    this.versions = new SeqlockTable(versions)
    const context = { limits, serviceNames, nextUlid }
    this.writer = new Writer(this.connections, context, this.versions, onProgress)
    parent.on('message', (message: ThreadMessage) => this.receive(message))
    parent.postMessage({ event: 'ready' })
  }

  private receive(message: ThreadMessage): void {
    if (message === CLOSE) {
      this.closing = true
      this.schedule()
    } else if (message === RELEASE) this.release()
    else if ('client' in message) this.clients.connect(message)
    else if ('revalidate' in message) this.versions.revalidate(message.revalidate)
    else this.keepApps(new Set(message.apps))
  }

  private take(batch: Batch<PackableWriteRequest | StepRequest | ControlRequest>): void {
    this.sort(batch)
    this.schedule()
  }

  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => this.commit())
  }

  private sort({ requests }: Batch<PackableWriteRequest | StepRequest | ControlRequest>): void {
    for (const [id, request, since] of requests) {
      if (request.kind === 'recordKeyUses') this.onControlFile(id, () => this.control.touchKeys(request.uses))
      else if (request.kind === 'import' || request.kind === 'upkeep') this.steps.push([id, request, since])
      else this.queue.push([id, unpacked(request), since])
    }
  }

  /** Does something on the control file at once; when it can't be done, only its caller is concerned. */
  private onControlFile(id: number, work: () => void): void {
    this.clients.send(clientOf(id), [outcomeOf(id, work)])
  }

  /** One group: all that has arrived by now, of every client, up to the bounds of a group. */
  private commit(): void {
    const isAll = this.takeWaiting()
    this.carryOut(this.nextGroup())
    this.carryOut(this.steps.splice(0, 1))
    if (this.queue.length + this.steps.length > 0 || !isAll) {
      setImmediate(() => this.commit())
      return
    }
    this.scheduled = false
    if (this.closing) void this.close()
  }

  private carryOut(group: readonly Numbered<WriteRequest | StepRequest>[]): void {
    // What was committed is answered before anything else is begun, so that it is never taken for undone.
    for (const writes of Map.groupBy(group, ([, { app }]) => app).values())
      this.answer(this.repliesTo(writes))
    this.keepLogs(group)
  }

  /** Answers whether nothing is left at the ports. */
  private takeWaiting(): boolean {
    while (this.queue.length < GROUP_WRITES) {
      const batches = this.clients.nextBatches()
      if (batches.length === 0) return true
      for (const batch of batches) this.sort(batch)
    }
    return false
  }

  private answer(replies: readonly Reply[]): void {
    for (const [client, ofClient] of Map.groupBy(replies, ([id]) => clientOf(id)))
      this.clients.send(client, ofClient)
  }

  private repliesTo(group: readonly Numbered<WriteRequest | StepRequest>[]): Reply[] {
    const outcomes = this.writer.commitGroup(group.map(([id, request, since]) => ({ id, request, since })))
    return outcomes.map((outcome) =>
      'failure' in outcome ? [outcome.id, undefined, outcome.failure] : [outcome.id, outcome.value],
    )
  }

  /** After the answers, for nobody has to wait for it. */
  private keepLogs(group: readonly Numbered<WriteRequest | StepRequest>[]): void {
    for (const [app, writes] of Map.groupBy(group, ([, { app }]) => app)) {
      const length = writes.reduce((sum, [, request]) => sum + lengthOf(request), 0)
      try {
        this.logs.afterGroup(app, length)
      } catch {
        // The app was deleted meanwhile, or the disk fails: then so do the writes, which say it to their clients.
      }
    }
  }

  private nextGroup(): Numbered<WriteRequest>[] {
    let length = 0
    let end = 0
    while (end < this.queue.length && end < GROUP_WRITES && length < GROUP_LENGTH)
      length += lengthOf(this.queue[end++]![1])
    return this.queue.splice(0, end)
  }

  private keepApps(apps: ReadonlySet<string>): void {
    this.connections.keepOnly(apps)
    this.logs.keepOnly(apps)
  }

  private release(): void {
    this.connections.closeAll()
    this.logs.release()
  }

  private async close(): Promise<void> {
    await this.logs.close()
    this.connections.closeAll()
    this.control.close()
    this.clients.close()
    this.parent.postMessage({ event: 'closed' })
    this.parent.close()
  }
}

function unpacked(request: PackableWriteRequest): WriteRequest {
  switch (request.kind) {
    case 'save':
      return { ...request, documents: unpackedDocuments(request.documents) }
    case 'updateOne':
      return { ...request, update: unpackedUpdate(request.update) }
    default:
      return request
  }
}

function outcomeOf(id: number, work: () => void): Reply {
  try {
    work()
    return [id, undefined]
  } catch (error) {
    return [id, undefined, failureOf(error)]
  }
}

function lengthOf(request: WriteRequest | StepRequest): number {
  if (request.kind === 'import') return importLength(request)
  if (request.kind !== 'save') return 0
  return request.documents.reduce((sum, document) => sum + document.text.length, 0)
}

/** Of those that bring documents; what others copy or sweep is seen by the rows that it changes. */
function importLength(request: ImportRequest): number {
  if (request.step === 'add') return request.documents.texts.length
  if (request.step !== 'whole') return 0
  return request.documents.reduce((sum, { texts }) => sum + texts.length, 0)
}

new WriterThread(parentPort!, workerData as ThreadSettings)
