import { DaySalts, type SaltStore } from '../analytics/day-salts.ts'
import { mergeDelta, mergeServerTotals } from '../analytics/merge-deltas.ts'
import type { ThreadDelta } from '../analytics/traffic-counter.ts'
import {
  emptyDelta,
  emptyServerTotals,
  type ServerTotals,
  type TrafficDelta,
} from '../analytics/traffic-delta.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../http/log/log.ts'
import type { ControlFile } from '../storage/sqlite/control/control-file.ts'
import type { AccountsWorker } from './accounts-worker.ts'
import { TrafficLeft } from './traffic-left.ts'

/** A start has better things to do, and one that ends at once needs no thread for accounts. */
const START_AFTER_MS = 10_000
/** How often it is tried again to store what could not be. */
const LOOK_MS = 5000

interface KeptTrafficParts {
  readonly accounts: Pick<AccountsWorker, 'addTraffic' | 'isRunning'>
  readonly salts: SaltStore
  readonly left: Pick<TrafficLeft, 'load' | 'save' | 'remove'>
  readonly log: Pick<Log, 'warn' | 'info' | 'fault'>
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
}

/** What all threads have counted: sums since the start, and what is on its way to be stored, by the thread of accounts. */
export class KeptTraffic {
  private readonly parts: KeptTrafficParts
  private readonly daySalts: DaySalts
  private readonly sums = emptyServerTotals()
  private readonly timer: NodeJS.Timeout
  private readonly startedAt = performance.now()
  private pending: TrafficDelta
  private hasLeft: boolean
  private storing: Promise<void> | undefined
  private problem: string | undefined

  constructor(parts: KeptTrafficParts) {
    this.parts = parts
    this.daySalts = new DaySalts(parts.salts)
    const left = parts.left.load()
    this.hasLeft = left !== undefined
    this.pending = left ?? emptyDelta()
    this.timer = setInterval(() => this.store(), LOOK_MS).unref()
  }

  /** Takes what a thread hands over. */
  take(delta: ThreadDelta): void {
    const { server, ...rest } = this.daySalts.withoutAddresses(delta, this.now())
    mergeServerTotals(this.sums, server)
    mergeDelta(this.pending, { ...rest, server: emptyServerTotals() })
    this.store()
  }

  /** Since the server's start, as far as the threads have handed over. */
  get totals(): ServerTotals {
    return this.sums
  }

  /** Why what was counted can't be stored at this time. */
  get failure(): string | undefined {
    return this.problem
  }

  /** Stores the rest where the thread of accounts runs, and leaves it for the next start where it doesn't. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.storing
    const { accounts, left, log } = this.parts
    if (accounts.isRunning) {
      this.begin()
      await this.storing
    }
    if (isEmpty(this.pending)) return
    try {
      left.save(this.pending)
    } catch (error) {
      log.fault('what was counted last of requests is lost', error)
    }
  }

  private store(): void {
    const isEarly = performance.now() - this.startedAt < START_AFTER_MS
    if (isEarly && !this.parts.accounts.isRunning) return
    this.begin()
  }

  private begin(): void {
    if (this.storing !== undefined || isEmpty(this.pending)) return
    const batch = this.pending
    this.pending = emptyDelta()
    this.storing = this.parts.accounts
      .addTraffic(batch)
      .then(
        () => this.stored(),
        (error: unknown) => this.failed(batch, error),
      )
      .finally(() => {
        this.storing = undefined
      })
  }

  private stored(): void {
    const { left, log } = this.parts
    if (this.hasLeft) left.remove()
    this.hasLeft = false
    if (this.problem !== undefined) log.info('what is counted of requests can be stored again')
    this.problem = undefined
  }

  private failed(batch: TrafficDelta, error: unknown): void {
    // What may be stored already would be counted twice.
    const isUnknown = error instanceof AppError && error.code === 'outcome_unknown'
    if (!isUnknown) {
      mergeDelta(batch, this.pending)
      this.pending = batch
    }
    const { message } = error as Error
    if (this.problem === undefined)
      this.parts.log.warn(
        `what is counted of requests can't be stored, and is kept in memory until it can: ${message}`,
      )
    this.problem = message
  }

  private now(): number {
    return (this.parts.now ?? Date.now)()
  }
}

const SALT_SETTING = 'analytics-salt'

/** Keeps what all threads of a process count. */
export function keepTraffic(
  { dataDir }: Pick<Config, 'dataDir'>,
  { accounts, control, log }: Pick<KeptTrafficParts, 'accounts' | 'log'> & { readonly control: ControlFile },
): KeptTraffic {
  const salts = {
    get: () => control.setting(SALT_SETTING),
    put: (text: string) => control.putSetting(SALT_SETTING, text),
  }
  return new KeptTraffic({ accounts, salts, left: new TrafficLeft({ dataDir }), log })
}

function isEmpty({ minutes, addresses, visits, errors }: TrafficDelta): boolean {
  return minutes.length + addresses.length + visits.length + errors.length === 0
}
