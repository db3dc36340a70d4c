import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { errorOf } from './failures.ts'
import {
  type AppsMessage,
  CLOSE,
  type Numbered,
  type Reply,
  type SettleMessage,
  type ThreadEvent,
  type ThreadRequest,
  type ThreadSettings,
} from './thread-protocol.ts'

/** How often the thread's progress is looked at. */
const WATCH_MS = 250
/** Time after the deadline in which a request may still notice by itself that it is late. */
const GRACE_MS = 2000

interface Pending {
  readonly request: ThreadRequest
  readonly resolve: (value: unknown) => void
  readonly reject: (error: AppError) => void
}

export interface ThreadOptions {
  readonly file: URL
  readonly settings: Omit<ThreadSettings, 'progress'>
  /** Whether requests that a replaced thread had not begun are given to its successor; only reads may be. */
  readonly repeatable: boolean
  readonly onEvent?: (event: ThreadEvent) => void
  /** Told of a thread that ended by itself and was replaced. */
  readonly onFailure: (error: unknown) => void
  /** Told when the thread is about to be replaced; until `ended` resolves, the old one may still be at work. */
  readonly onReplace?: (ended: Promise<unknown>) => void
}

/**
 * One storage thread as the main thread sees it: a call is a promise, and all calls of one turn of the event loop
 * travel in one message. A thread whose request overruns its deadline is replaced by a new one.
 */
export class StorageThread {
  private readonly options: ThreadOptions
  private worker!: Worker
  private progress!: Int32Array<SharedArrayBuffer>
  private started!: Promise<void>
  private outbox: Numbered<ThreadRequest>[] = []
  private readonly pending = new Map<number, Pending>()
  private lastId = 0
  private readonly watch: NodeJS.Timeout
  private overdue = { id: 0, since: 0 }
  private closing = false
  private closed: Promise<void> | undefined

  constructor(options: ThreadOptions) {
    this.options = options
    this.start()
    this.watch = setInterval(() => this.replaceOverrun(), WATCH_MS)
    this.watch.unref()
  }

  /** Resolves when the thread has opened what it needs. */
  get ready(): Promise<void> {
    return this.started
  }

  get load(): number {
    return this.pending.size
  }

  /** @throws AppError `overloaded` and whatever the thread answers */
  call<Result>(request: ThreadRequest): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.closing) return reject(new AppError('store_unavailable', 'the server is stopping'))
      if (this.pending.size >= this.options.settings.limits.queuedRequests)
        return reject(new AppError('overloaded', 'too many requests are waiting; try again in a moment'))
      this.lastId = (this.lastId % 0x7fff_ffff) + 1
      this.pending.set(this.lastId, { request, resolve: resolve as (value: unknown) => void, reject })
      this.send([this.lastId, request])
    })
  }

  tell(message: AppsMessage | SettleMessage): void {
    this.worker.postMessage(message)
  }

  /** Lets the thread finish what it has taken and close its files. */
  close(): Promise<void> {
    this.closed ??= this.end()
    return this.closed
  }

  private async end(): Promise<void> {
    this.flush()
    this.closing = true
    clearInterval(this.watch)
    const exited = new Promise((resolve) => this.worker.once('exit', resolve))
    this.worker.postMessage(CLOSE)
    await exited
  }

  private start(): void {
    this.progress = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(this.options.file, {
      workerData: { ...this.options.settings, progress: this.progress },
    })
    this.worker = worker
    let isReady = false
    this.started = new Promise((resolve, reject) => {
      worker.on('message', (message: readonly Reply[] | ThreadEvent) => {
        if (Array.isArray(message)) this.settle(message)
        else if ((message as ThreadEvent).event === 'ready') {
          isReady = true
          resolve()
        } else this.options.onEvent?.(message as ThreadEvent)
      })
      worker.once('error', (error) => {
        reject(error)
        if (worker === this.worker && !this.closing && isReady) this.replaceFailed(error)
      })
    })
    // A thread that can't start is reported by `ready` to whoever waits for it.
    this.started.catch(() => undefined)
  }

  private send(numbered: Numbered<ThreadRequest>): void {
    if (this.outbox.push(numbered) === 1) setImmediate(() => this.flush())
  }

  private flush(): void {
    if (this.outbox.length === 0) return
    this.worker.postMessage(this.outbox)
    this.outbox = []
  }

  private settle(replies: readonly Reply[]): void {
    for (const [id, value, failure] of replies) {
      const pending = this.pending.get(id)
      this.pending.delete(id)
      if (failure === undefined) pending?.resolve(value)
      else pending?.reject(errorOf(failure))
    }
  }

  private replaceOverrun(): void {
    const id = Atomics.load(this.progress, 0)
    const now = performance.now()
    if (id !== this.overdue.id) this.overdue = { id, since: now }
    if (id === 0 || now - this.overdue.since < this.options.settings.limits.queryDeadlineMs + GRACE_MS) return
    this.pending.get(id)?.reject(new AppError('deadline_exceeded', 'the request took too long in the store'))
    this.pending.delete(id)
    const old = this.worker
    old.removeAllListeners('message')
    this.replace()
    void old.terminate()
  }

  /** The request that a thread died of is not tried again. */
  private replaceFailed(error: unknown): void {
    this.options.onFailure(error)
    const id = Atomics.load(this.progress, 0)
    this.pending
      .get(id)
      ?.reject(new AppError('internal', 'something went wrong inside the store', { cause: error }))
    this.pending.delete(id)
    this.replace()
  }

  /** Starts a new thread in the place of one that is of no more use. */
  private replace(): void {
    this.overdue = { id: 0, since: 0 }
    this.options.onReplace?.(new Promise((resolve) => this.worker.once('exit', resolve)))
    this.start()
    this.started.catch((error) => this.options.onFailure(error))
    const unanswered = [...this.pending]
    this.outbox = []
    if (this.options.repeatable) {
      for (const [id, { request }] of unanswered) this.send([id, request])
      return
    }
    this.pending.clear()
    for (const [, { reject }] of unanswered)
      reject(new AppError('store_unavailable', 'the write was given up; whether it was done is not known'))
  }
}
