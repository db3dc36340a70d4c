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
import type { Log } from '../http/log/log.ts'
import type { ControlFile } from '../storage/sqlite/control/control-file.ts'
import { TRAFFIC_ADDED } from '../storage/traffic-store.ts'
import type { AccountsWorker } from './accounts-worker.ts'
import { TrafficBatch } from './traffic-batch.ts'
import { TrafficLeft } from './traffic-left.ts'

/** A start has better things to do, and one that ends at once needs no thread for accounts. */
const START_AFTER_MS = 10_000
/** How often it is tried again to store what could not be. */
const LOOK_MS = 5000
/** For which a stop stores what there is, before it leaves the rest for the next start. */
const STOP_MS = 2000

interface KeptTrafficParts {
  readonly accounts: Pick<AccountsWorker, 'addTraffic' | 'isRunning'>
  readonly salts: SaltStore
  readonly left: Pick<TrafficLeft, 'load' | 'save' | 'remove'>
  /** What was noted with what was added last. */
  readonly added: () => string | undefined
  readonly log: Pick<Log, 'warn' | 'fault'>
  readonly stopMs?: number
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
  private pending = emptyDelta()
  /** What is being stored, or could not be until now. */
  private batch: TrafficBatch | undefined
  /** Whether that is what the last stop has left. */
  private isLeft: boolean
  private storing: Promise<void> | undefined
  private stopAt = Number.POSITIVE_INFINITY
  private problem: string | undefined

  constructor(parts: KeptTrafficParts) {
    this.parts = parts
    this.daySalts = new DaySalts(parts.salts)
    const left = parts.left.load()
    this.isLeft = left !== undefined
    this.batch = left && new TrafficBatch(left.delta, left.id)
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

  /** Stores the rest where the thread of accounts runs, as far as there is time, and leaves what is not stored for the next start. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    const { accounts, added, left, log, stopMs = STOP_MS } = this.parts
    this.stopAt = performance.now() + stopMs
    await this.storing
    if (accounts.isRunning) {
      this.begin()
      await this.storing
    }
    try {
      this.batch?.noteStored(added())
      const rest = this.batch?.rest ?? emptyDelta()
      mergeDelta(rest, this.pending)
      if (!isEmpty(rest)) left.save(rest)
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
    this.storing ??= this.storeAll().finally(() => {
      this.storing = undefined
    })
  }

  /** One app after the other, so that nothing waits for all of them. What comes meanwhile is added up until it has its turn. */
  private async storeAll(): Promise<void> {
    try {
      for (let batch = this.nextBatch(); batch !== undefined; batch = this.nextBatch()) {
        // The outcome of its last part may not be known, or from before the last stop.
        batch.noteStored(this.parts.added())
        for (let { part } = batch; part !== undefined; part = batch.part) {
          if (performance.now() >= this.stopAt) return
          await this.parts.accounts.addTraffic(part.delta, part.note)
          batch.noteStored(part.note)
        }
        this.stored()
      }
    } catch (error) {
      this.failed(error as Error)
    }
  }

  private nextBatch(): TrafficBatch | undefined {
    if (this.batch === undefined && !isEmpty(this.pending)) {
      this.batch = new TrafficBatch(this.pending)
      this.pending = emptyDelta()
    }
    return this.batch
  }

  private stored(): void {
    const { left, log } = this.parts
    if (this.isLeft) left.remove()
    this.isLeft = false
    this.batch = undefined
    // As a warning, for whoever reads the one is to read the other.
    if (this.problem !== undefined) log.warn('what is counted of requests can be stored again')
    this.problem = undefined
  }

  private failed({ message }: Error): void {
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
  const added = (): string | undefined => control.setting(TRAFFIC_ADDED)
  return new KeptTraffic({ accounts, salts, left: new TrafficLeft({ dataDir }), added, log })
}

function isEmpty({ minutes, addresses, visits, errors }: TrafficDelta): boolean {
  return minutes.length + addresses.length + visits.length + errors.length === 0
}
