import type { MessagePort } from 'node:worker_threads'
import { type TailBatch, type TailCounts, withinRoom } from '../analytics/tail-batch.ts'
import type { TailWanted } from '../dashboard-api/tail-stream.ts'

/** Live views that may be open at once, of an account and of the server. */
const OF_ACCOUNT = 4
const OF_SERVER = 32
/** Requests that one is told of in a second. */
const PER_SECOND: TailCounts = Object.freeze({ errors: 50, others: 50 })

/** A view that is asked for, with the port to the thread that serves it. */
export interface TailAsked extends TailWanted {
  readonly port: MessagePort
}

/** What comes at such a port: first whether there is room. */
export type TailMessage = { readonly isOpen: boolean } | TailBatch

/** By the ids of apps. */
export type AppBatches = readonly (readonly [app: string, batch: TailBatch])[]

interface OpenView extends TailAsked {
  second: number
  /** For the rest of the second. */
  room: TailCounts
}

interface TailsOptions {
  /** Has the threads tell of these apps, by their ids, and of no others. */
  readonly watch: (apps: readonly string[]) => void
  /** Monotonic, in milliseconds. */
  readonly now: () => number
}

/** Who looks at the requests of which app: brings what all threads tell to the threads that serve the views. */
export class TrafficTails {
  private readonly options: TailsOptions
  private readonly views = new Set<OpenView>()

  constructor(options: TailsOptions) {
    this.options = options
  }

  open(asked: TailAsked): void {
    const { account, port } = asked
    const ofAccount = [...this.views].filter((view) => view.account === account)
    const isOpen = this.views.size < OF_SERVER && ofAccount.length < OF_ACCOUNT
    port.postMessage({ isOpen } satisfies TailMessage)
    if (!isOpen) {
      port.close()
      return
    }
    const view = { ...asked, second: Number.NaN, room: PER_SECOND }
    this.views.add(view)
    port.once('close', () => this.end(view))
    this.watch()
  }

  /** Passes on what a thread tells. */
  tell(batches: AppBatches): void {
    for (const [app, batch] of batches)
      for (const view of this.views) if (view.app === app) view.port.postMessage(this.bounded(view, batch))
  }

  private bounded(view: OpenView, batch: TailBatch): TailBatch {
    const second = Math.floor(this.options.now() / 1000)
    if (second !== view.second) Object.assign(view, { second, room: PER_SECOND })
    const { told, ...bounded } = withinRoom(batch, view.room)
    view.room = { errors: view.room.errors - told.errors, others: view.room.others - told.others }
    return bounded
  }

  private end(view: OpenView): void {
    this.views.delete(view)
    this.watch()
  }

  private watch(): void {
    this.options.watch([...new Set([...this.views].map(({ app }) => app))])
  }
}
