import { AppCounts, type CountOptions, madeIn, type RedactTarget } from './app-counts.ts'
import { APP_CELLS, THREAD_ADDRESSES, THREAD_CELLS } from './bounds.ts'
import { mergeCells } from './merge-deltas.ts'
import type { CountRequests, RequestFacts } from './request-facts.ts'
import { ServerCounts } from './server-counts.ts'
import { TailCounter } from './tail-counter.ts'
import { addCellToTotals, emptyTotals, type TrafficCell } from './traffic.ts'
import { emptyDelta, type TrafficDelta } from './traffic-delta.ts'

/** What a thread hands over: addresses as they are, which leave the memory of the process as registers alone. */
export type ThreadDelta = Omit<TrafficDelta, 'addresses'> & {
  readonly addresses: readonly { readonly app: string; readonly addresses: readonly string[] }[]
}

export interface TrafficCounterOptions {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  readonly redactTarget: RedactTarget
  /** Apps that are told apart. */
  readonly mostApps: number
  /** Called when addresses should be handed over, for there is room for no more. */
  readonly onFull: () => void
  /** Told of what nobody expected; nothing of it reaches a request. */
  readonly onFailure: (error: unknown) => void
}

const HOUR = 3600

/** Counts the requests of one thread until they are handed over. */
export class TrafficCounter implements CountRequests {
  private readonly options: TrafficCounterOptions
  private readonly countOptions: CountOptions
  /** Of apps whose requests somebody looks at while they come. */
  readonly tail: TailCounter
  private server = new ServerCounts()
  private apps = new Map<string, AppCounts>()
  private cells = 0
  private addresses = 0

  constructor(options: TrafficCounterOptions) {
    this.options = options
    const hasRoom = (): boolean => ++this.cells <= THREAD_CELLS
    this.tail = new TailCounter(options.redactTarget)
    this.countOptions = { hasRoom, redactTarget: options.redactTarget }
  }

  add(facts: RequestFacts): void {
    try {
      this.server.add(facts)
      if (facts.area === 'api' || (facts.area === 'site' && facts.app !== '')) this.addToApp(facts)
    } catch (error) {
      this.options.onFailure(error)
    }
  }

  /** What was counted since the last time; undefined where that is nothing. */
  drain(): ThreadDelta | undefined {
    if (this.server.isEmpty) return undefined
    const { apps } = this
    const delta = emptyDelta()
    const addresses: { app: string; addresses: string[] }[] = []
    delta.server = this.server.totals()
    for (const [app, counts] of apps) {
      drainMinutes(app, counts, delta)
      drainDays(app, counts, delta)
      if (counts.addresses.size > 0) addresses.push({ app, addresses: [...counts.addresses] })
    }
    this.server = new ServerCounts()
    this.apps = new Map()
    this.cells = 0
    this.addresses = 0
    return { ...delta, addresses }
  }

  private addToApp(facts: RequestFacts): void {
    const { app, address } = facts
    const { apps } = this
    let counts = apps.get(app)
    if (counts === undefined) {
      if (apps.size >= this.options.mostApps) return
      counts = new AppCounts()
      apps.set(app, counts)
    }
    const at = this.options.now()
    counts.add(facts, at, this.countOptions)
    this.tail.add(facts, at)
    if (app === '' || address === '' || counts.addresses.has(address)) return
    counts.addresses.add(address)
    this.addresses++
    if (this.addresses >= THREAD_ADDRESSES) this.options.onFull()
  }
}

function drainMinutes(app: string, counts: AppCounts, delta: TrafficDelta): void {
  const hours = new Map<number, TrafficCell[]>()
  const sum = { app, requests: 0, errors: 0, failed: 0 }
  for (const [at, { list }] of counts.minutes) {
    const totals = emptyTotals()
    for (const cell of list) addCellToTotals(totals, cell)
    delta.minutes.push({ app, at, totals })
    mergeCells(
      madeIn(hours, Math.floor(at / HOUR) * HOUR, () => []),
      list,
      APP_CELLS,
    )
    sum.requests += totals.requests
    sum.errors += totals.errors
    sum.failed += totals.failed
  }
  for (const [at, cells] of hours) delta.hours.push({ app, at, cells })
  delta.server.apps.push(sum)
}

function drainDays(app: string, { days }: AppCounts, delta: TrafficDelta): void {
  for (const [day, counts] of days) {
    const { visits, errors } = counts
    if (visits !== undefined) delta.visits.push({ app, day, ...visits })
    for (const error of errors) delta.errors.push({ app, day, ...error })
  }
}
