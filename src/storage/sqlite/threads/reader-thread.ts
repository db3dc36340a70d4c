import { constants, getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Connections } from '../files/connections.ts'
import { appFile } from '../files/data-folder.ts'
import { leftWork } from '../index/left-work.ts'
import { failureOf } from '../protocol/failures.ts'
import type { LeftWorkRequest, ReadRequest } from '../protocol/requests.ts'
import { Reader } from '../read/reader.ts'
import { type Batch, ClientPorts } from './client-ports.ts'
import {
  CLOSE,
  clientOf,
  MOST_TOGETHER,
  type Numbered,
  RELEASE,
  type Reply,
  type ThreadEvent,
  type ThreadMessage,
  type ThreadSettings,
} from './thread-protocol.ts'

/** Milliseconds after which what has been answered so far is sent, however little it is. */
const REPLY_AFTER_MS = 2
/** Time after which the thread looks whether it is told something. */
const TURN_MS = 20
/** So many go before one of the others, however many wait. */
const POINTS_BEFORE_OTHERS = 64
/** What is added to the niceness of a thread of low priority: where all processors are wanted, it gets about a tenth. */
const BACKGROUND_NICENESS = 10

type Request = ReadRequest | LeftWorkRequest

/** A storage thread that reads. What asks for one document goes before everything else that waits. */
class ReaderThread {
  private readonly parent: MessagePort
  private readonly settings: ThreadSettings
  private readonly connections: Connections
  private readonly reader: Reader
  private readonly clients = new ClientPorts<Request>((batch) => {
    this.take([batch])
    this.schedule()
  })
  private readonly points: Numbered<Request>[] = []
  private readonly others: Numbered<Request>[] = []
  private replies: Reply[] = []
  /** Points that went before others since the last of those had its turn. */
  private passed = 0
  private scheduled = false
  private closing = false

  constructor(parent: MessagePort, settings: ThreadSettings) {
    this.parent = parent
    this.settings = settings
    const { dataDir, openApps, pageBytes } = settings
    const onScarce = (): void => parent.postMessage({ event: 'scarce' } satisfies ThreadEvent)
    this.connections = new Connections({ dataDir, mode: 'reader', limit: openApps, pageBytes, onScarce })
    this.reader = new Reader(this.connections)
    if (settings.isLowPriority) lowerPriority()
    parent.on('message', (message: ThreadMessage) => this.receive(message))
    parent.postMessage({ event: 'ready' })
  }

  private receive(message: ThreadMessage): void {
    if (message === CLOSE) {
      this.closing = true
      this.schedule()
    } else if (message === RELEASE) {
      this.reader.endBatch()
      this.connections.closeAll()
    } else if ('apps' in message) this.connections.keepOnly(new Set(message.apps))
    else if ('client' in message) this.clients.connect(message)
  }

  private take(batches: readonly Batch<Request>[]): void {
    for (const { requests } of batches)
      for (const numbered of requests) (isPoint(numbered) ? this.points : this.others).push(numbered)
    // What has just come is to see what was acknowledged before it.
    if (batches.length > 0) this.reader.endBatch()
  }

  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    this.work()
  }

  /** Answers what waits and what comes meanwhile. What waits together sees each app at one moment. */
  private work(): void {
    const began = performance.now()
    let since = began
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.replies.push(this.answer(next))
      const now = performance.now()
      if (now - since < REPLY_AFTER_MS && this.replies.length < MOST_TOGETHER) continue
      this.send()
      since = now
      if (now - began > TURN_MS) break
    }
    this.send()
    this.reader.endBatch()
    if (this.points.length + this.others.length > 0) {
      setImmediate(() => this.work())
      return
    }
    this.scheduled = false
    if (this.closing) this.close()
  }

  private next(): Numbered<Request> | undefined {
    if (this.points.length === 0) this.take(this.clients.nextBatches())
    const isOthersTurn = this.passed >= POINTS_BEFORE_OTHERS || this.points.length === 0
    if (isOthersTurn && this.others.length > 0) {
      this.passed = 0
      return this.others.shift()
    }
    this.passed++
    return this.points.shift()
  }

  private answer([id, request]: Numbered<Request>): Reply {
    const { dataDir, progress } = this.settings
    Atomics.store(progress, 0, id)
    try {
      if (request.kind === 'leftWork') return [id, leftWork(appFile(dataDir, request.app))]
      return [id, this.reader.handle(request)]
    } catch (error) {
      return [id, undefined, failureOf(error)]
    } finally {
      Atomics.store(progress, 0, 0)
    }
  }

  private send(): void {
    if (this.replies.length === 0) return
    for (const [client, replies] of Map.groupBy(this.replies, ([id]) => clientOf(id)))
      this.clients.send(client, replies)
    this.replies = []
  }

  private close(): void {
    this.connections.closeAll()
    this.clients.close()
    this.parent.postMessage({ event: 'closed' })
    this.parent.close()
  }
}

function isPoint([, { kind }]: Numbered<Request>): boolean {
  return kind === 'get'
}

/** On Linux a thread has a niceness of its own; elsewhere it would be that of the whole server. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  // Where the whole server stands back, it has to be further, and must not ask for less, which is refused.
  setPriority(Math.min(getPriority() + BACKGROUND_NICENESS, constants.priority.PRIORITY_LOW))
}

new ReaderThread(parentPort!, workerData as ThreadSettings)
