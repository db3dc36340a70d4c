import { MessageChannel, type Transferable, Worker } from 'node:worker_threads'
import type { HeapLimits } from '../../../domain/memory.ts'
import { failureOf } from '../protocol/failures.ts'
import {
  type AppsMessage,
  CLOSE,
  GIVEN_UP,
  type LostRequests,
  type RELEASE,
  type RevalidateMessage,
  type ThreadEndpoint,
  type ThreadEvent,
  type ThreadMessage,
  type ThreadSettings,
} from './thread-protocol.ts'

/** How often the thread's progress is looked at. */
const WATCH_MS = 250
/** How long after a start that failed the next one begins: at first, and at most. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 4000
/** Time after the deadline in which a request may still notice by itself that it is late. */
const GRACE_MS = 2000

export interface ThreadOptions {
  readonly file: URL
  readonly settings: Omit<ThreadSettings, 'progress'>
  /** Which of the storage threads it is. */
  readonly thread: number
  readonly heap: HeapLimits | undefined
  /** Told of a thread that ended by itself and was replaced. */
  readonly onFailure: (error: unknown) => void
  /** Told when the thread finds that the process has as many files open as it may. */
  readonly onScarce: () => void
  /** Told when the thread is about to be replaced; until `ended` resolves, the old one may still be at work. */
  readonly onReplace?: (ended: Promise<unknown>) => void
}

/** Gives a client its way to the thread, and another one when the thread was replaced. */
export type GiveEndpoint = (endpoint: ThreadEndpoint) => void

/**
 * One storage thread as the main thread keeps it: it is started, watched, and given its clients. One whose request
 * overruns its deadline is replaced by a new one.
 */
export class StorageThread {
  private readonly options: ThreadOptions
  private readonly clients = new Map<number, GiveEndpoint>()
  private worker!: Worker
  private progress!: Int32Array<SharedArrayBuffer>
  private started!: Promise<void>
  private exited!: Promise<void>
  private readonly watch: NodeJS.Timeout
  private overdue = { id: 0, since: 0 }
  private pauseMs = FIRST_PAUSE_MS
  private pause: NodeJS.Timeout | undefined
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

  connect(client: number, giveEndpoint: GiveEndpoint): void {
    this.clients.set(client, giveEndpoint)
    giveEndpoint(this.newEndpoint(client))
  }

  tell(message: AppsMessage | RevalidateMessage | typeof RELEASE): void {
    this.post(message)
  }

  /** Lets the thread finish what it has taken and close its files. */
  close(): Promise<void> {
    this.closed ??= this.end()
    return this.closed
  }

  private async end(): Promise<void> {
    this.closing = true
    clearInterval(this.watch)
    clearTimeout(this.pause)
    this.post(CLOSE)
    await this.exited
  }

  private start(): void {
    this.progress = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(this.options.file, {
      workerData: { ...this.options.settings, progress: this.progress },
      ...(this.options.heap && { resourceLimits: this.options.heap }),
    })
    this.worker = worker
    this.exited = new Promise((resolve) => worker.once('exit', () => resolve()))
    let isReady = false
    this.started = new Promise((resolve, reject) => {
      worker.on('message', ({ event }: ThreadEvent) => {
        if (event === 'scarce') this.options.onScarce()
        if (event !== 'ready') return
        isReady = true
        resolve()
      })
      worker.once('error', (error) => {
        reject(error)
        if (worker === this.worker && !this.closing && isReady) this.replaceFailed(error)
      })
    })
    // A thread that can't start is reported by `ready` to whoever waits for it.
    this.started.catch(() => undefined)
  }

  private newEndpoint(client: number): ThreadEndpoint {
    const { port1, port2 } = new MessageChannel()
    this.post({ client, port: port1 }, [port1])
    return { thread: this.options.thread, port: port2 }
  }

  private post(message: ThreadMessage, transferred: readonly Transferable[] = []): void {
    this.worker.postMessage(message, transferred)
  }

  private replaceOverrun(): void {
    const id = Atomics.load(this.progress, 0)
    const now = performance.now()
    if (id !== this.overdue.id) this.overdue = { id, since: now }
    if (id === 0 || now - this.overdue.since < this.options.settings.limits.queryDeadlineMs + GRACE_MS) return
    // Or it has just gone on.
    if (Atomics.compareExchange(this.progress, 0, id, GIVEN_UP) !== id) return
    void this.worker.terminate()
    const message = 'the request took too long in the store'
    this.replace({ what: id, failure: { code: 'deadline_exceeded', message } })
  }

  /** The request that a thread died of is not tried again; of what it was about to commit nobody knows. */
  private replaceFailed(error: unknown): void {
    this.options.onFailure(error)
    const id = Atomics.load(this.progress, 0)
    this.replace(id === 0 ? OUTCOME_UNKNOWN : { what: id, failure: failureOf(error) })
  }

  /** Starts a new thread in the place of one that is of no more use, or has not started. */
  private replace(lost: LostRequests): void {
    this.options.onReplace?.(this.exited)
    this.overdue = { id: 0, since: 0 }
    this.start()
    this.started.then(
      () => {
        this.pauseMs = FIRST_PAUSE_MS
      },
      (error) => this.startLater(error),
    )
    for (const [client, giveEndpoint] of this.clients) giveEndpoint({ ...this.newEndpoint(client), lost })
  }

  /** Files may be busy, or there may be too many of them open: what lets nothing start now may pass. */
  private startLater(error: unknown): void {
    if (this.closing) return
    this.options.onFailure(error)
    this.pause = setTimeout(() => this.replace(NOTHING_BEGUN), this.pauseMs)
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS)
  }
}

const OUTCOME_UNKNOWN: LostRequests = {
  what: 'writes',
  failure: {
    code: 'outcome_unknown',
    message: 'the write was given up, and whether it was done is not known; look before you send it again',
  },
}

const NOTHING_BEGUN: LostRequests = {
  what: 'everything',
  failure: {
    code: 'store_unavailable',
    message: 'the store can not be opened right now, and nothing was done; try again later',
  },
}
