import { Worker } from 'node:worker_threads'
import type { Limits } from '../domain/limits.ts'
import type { HeapLimits } from '../domain/memory.ts'
import { AppError } from '../errors.ts'
import type { BodyReply, BodyRequest, BodyThreadSettings, ReadRequests } from './body-thread.ts'
import type { Body, BodyFormat } from './request-body.ts'

export interface BodyWorkerOptions {
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  readonly heap?: HeapLimits | undefined
  /** Told of a thread that ended by itself, for the log. */
  readonly onFailure: (error: unknown) => void
}

interface SentDocuments {
  readonly body: Body
  readonly format: BodyFormat
  readonly now: number
}

export interface SentChanges {
  readonly documents: string
  /** The app's own limit of a document. */
  readonly documentBytes: number | undefined
  readonly body: Body
  readonly now: number
}

interface Pending {
  readonly resolve: (value: never) => void
  readonly reject: (error: AppError) => void
}

/**
 * Takes long bodies apart on a thread of their own: a megabyte of JSON takes 50 to 100 ms, in which nobody else would
 * be answered. The thread starts with the first of them, for most servers never need it.
 */
export class BodyWorker {
  private readonly options: BodyWorkerOptions
  private readonly pending = new Map<number, Pending>()
  private worker: Worker | undefined
  private lastId = 0
  private closing = false

  constructor(options: BodyWorkerOptions) {
    this.options = options
  }

  /**
   * What a save holds, filled with placeholders of this instant.
   * @throws AppError as `readDocuments` and `readNdjson` do
   */
  documents({ body, ...how }: SentDocuments): Promise<ReadRequests['documents']> {
    return this.call({ kind: 'documents', ...how, blocks: ownBlocks(body) })
  }

  /** @throws AppError as `parseBody` and `parseUpdate` do */
  update(body: Body): Promise<ReadRequests['update']> {
    return this.call({ kind: 'update', blocks: ownBlocks(body) })
  }

  /** Of a stored document's text, the document with `_id` alone. */
  onlyId(text: string): Promise<ReadRequests['onlyId']> {
    return this.call({ kind: 'onlyId', text })
  }

  /**
   * What an update would make of documents, as `previewChanges` tells.
   * @throws AppError as that does
   */
  changes({ body, ...tried }: SentChanges): Promise<ReadRequests['changes']> {
    return this.call({ kind: 'changes', ...tried, blocks: ownBlocks(body) })
  }

  /** Ends the thread; what it has not answered yet is given up. */
  async close(): Promise<void> {
    this.closing = true
    await this.worker?.terminate()
    this.giveUp(new AppError('store_unavailable', 'the server is stopping'))
  }

  private call<Result>(request: BodyRequest): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.closing) return reject(new AppError('store_unavailable', 'the server is stopping'))
      this.pending.set(++this.lastId, { resolve, reject })
      const blocks = request.kind === 'onlyId' ? [] : request.blocks
      this.worker ??= this.start()
      this.worker.postMessage(
        [this.lastId, request],
        blocks.map((block) => block.buffer),
      )
    })
  }

  private start(): Worker {
    const { limits, serviceNames, heap, onFailure } = this.options
    const settings: BodyThreadSettings = { limits, serviceNames }
    const worker = new Worker(new URL('./body-thread.ts', import.meta.url), {
      workerData: settings,
      ...(heap && { resourceLimits: heap }),
    })
    worker.on('message', (reply: BodyReply) => this.settle(reply))
    worker.once('error', (error) => {
      onFailure(error)
      this.worker = undefined
      this.giveUp(new AppError('internal', 'something went wrong inside', { cause: error }))
    })
    return worker
  }

  private settle([id, value, failure]: BodyReply): void {
    const pending = this.pending.get(id)
    this.pending.delete(id)
    if (failure === undefined) pending?.resolve(value as never)
    else pending?.reject(new AppError(failure.code, failure.message, { cause: failure.cause }))
  }

  private giveUp(error: AppError): void {
    for (const { reject } of this.pending.values()) reject(error)
    this.pending.clear()
  }
}

/** Blocks that can be given away. A body of one block may lie in memory that others use, too. */
function ownBlocks(body: Body): readonly Uint8Array<ArrayBuffer>[] {
  return body.length === 1 ? [new Uint8Array(body[0]!)] : (body as readonly Buffer<ArrayBuffer>[])
}
