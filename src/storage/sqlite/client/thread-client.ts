import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { AppError } from '../../../errors.ts'
import { errorOf, type Failure } from '../protocol/failures.ts'
import { monotonicMs } from '../protocol/monotonic.ts'
import {
  type LostRequests,
  MOST_TOGETHER,
  type Numbered,
  nextNumber,
  packRequests,
  type ReplyMessage,
  type ThreadEndpoint,
  type ThreadRequest,
  unpackReplies,
} from '../threads/thread-protocol.ts'

interface Pending {
  readonly request: ThreadRequest
  readonly since: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: AppError) => void
}

export interface ThreadClientOptions {
  /** The client's own number. */
  readonly client: number
  /** Which of the storage threads, and how many requests of all clients wait for each of them. */
  readonly thread: number
  readonly waiting: Int32Array<SharedArrayBuffer>
  readonly queuedRequests: number
  /** Whether the requests are writes. */
  readonly writes: boolean
}

/**
 * One storage thread as a thread that uses it sees it: a call is a promise, and all calls of one turn of the event
 * loop travel in a few messages.
 */
export class ThreadClient {
  private readonly options: ThreadClientOptions
  private port: MessagePort | undefined
  private outbox: Numbered<ThreadRequest>[] = []
  private readonly pending = new Map<number, Pending>()
  private readonly replies = {
    onValue: (id: number, value: unknown): void => this.takePending(id)?.resolve(value),
    onFailure: (id: number, failure: Failure): void => this.fail(id, failure),
  }
  private lastId = 0
  private closing = false

  constructor(options: ThreadClientOptions) {
    this.options = options
  }

  /** How much of all clients waits for the thread. */
  get load(): number {
    return Atomics.load(this.options.waiting, this.options.thread)
  }

  /**
   * @param since when the time began that the request may take, in `monotonicMs`
   * @throws AppError `overloaded` and whatever the thread answers
   */
  call<Result>(request: ThreadRequest, since = monotonicMs()): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { client, waiting, thread, queuedRequests } = this.options
      if (this.closing) return reject(new AppError('store_unavailable', 'the server is stopping'))
      if (Atomics.add(waiting, thread, 1) >= queuedRequests) {
        Atomics.sub(waiting, thread, 1)
        return reject(new AppError('overloaded', 'too many requests are waiting; try again in a moment'))
      }
      this.lastId = nextNumber(client, this.lastId)
      this.pending.set(this.lastId, { request, since, resolve: resolve as (value: unknown) => void, reject })
      this.send([this.lastId, request, since])
    })
  }

  /** Begins to use a thread, or the one that has taken its place. */
  connect({ port, lost }: ThreadEndpoint): void {
    const old = this.port
    // What the old thread has answered holds, though it came to an end.
    if (old !== undefined) this.disconnect(old)
    this.port = port
    port.on('message', (message: ReplyMessage) => this.receive(message))
    if (lost !== undefined) this.failLost(lost)
    if (old !== undefined) this.resend()
    this.flush()
  }

  /** Sends what is still to be sent, so that a thread that is told to close afterwards gets it. */
  finish(): void {
    this.flush()
    this.closing = true
  }

  /** Takes the last replies of a thread that has ended, or will be used no more. */
  close(): void {
    this.closing = true
    if (this.port !== undefined) this.disconnect(this.port)
    this.failAll({ code: 'store_unavailable', message: 'the server is stopping' })
  }

  private disconnect(port: MessagePort): void {
    port.removeAllListeners('message')
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
      this.receive(next.message)
    port.close()
  }

  private failLost({ what, failure }: LostRequests): void {
    if (typeof what === 'number') this.fail(what, failure)
    else if (what === 'everything' || this.options.writes) this.failAll(failure)
  }

  private resend(): void {
    this.outbox = []
    for (const [id, { request, since }] of this.pending) this.send([id, request, since])
  }

  private failAll(failure: Failure): void {
    for (const id of [...this.pending.keys()]) this.fail(id, failure)
  }

  private send(numbered: Numbered<ThreadRequest>): void {
    const waiting = this.outbox.push(numbered)
    if (waiting === MOST_TOGETHER) this.flush()
    else if (waiting === 1) setImmediate(() => this.flush())
  }

  private flush(): void {
    if (this.outbox.length === 0 || this.port === undefined) return
    for (const message of packRequests(this.outbox)) this.port.postMessage(message)
    this.outbox = []
  }

  private receive(message: ReplyMessage): void {
    unpackReplies(message, this.replies)
  }

  private fail(id: number, failure: Failure): void {
    this.takePending(id)?.reject(errorOf(failure))
  }

  private takePending(id: number): Pending | undefined {
    const pending = this.pending.get(id)
    if (pending === undefined) return undefined
    this.pending.delete(id)
    Atomics.sub(this.options.waiting, this.options.thread, 1)
    return pending
  }
}

/** One client's ends of all storage threads. */
export function threadClients({
  writer,
  ...common
}: Omit<ThreadClientOptions, 'thread' | 'writes'> & { readonly writer: number }): ThreadClient[] {
  return Array.from(
    common.waiting,
    (_, thread) => new ThreadClient({ ...common, thread, writes: thread === writer }),
  )
}

/** @param clients at least one */
export function leastLoaded(clients: readonly ThreadClient[]): ThreadClient {
  return clients.reduce((least, client) => (client.load < least.load ? client : least))
}
