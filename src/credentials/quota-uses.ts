import { DAY_MS } from '../domain/quota.ts'
import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../shared-memory/table.ts'

/** Accounts with a quota that are counted at a time; one that finds no place is let in, and not counted. */
const ACCOUNTS = 20_000

/** The day that `requests` is of, in days since the Unix epoch, by UTC. */
const DAY = 0
const REQUESTS = 1
/** As it was measured, with what was stored since; where it was not measured, what was stored since it is counted. */
const BYTES = 2
/** When it was measured, in milliseconds since the Unix epoch; 0 where it was not. */
const MEASURED_AT = 3
/** Of writes that are under way. */
const RESERVED = 4
const FIELDS = 5

/** What was measured so long ago is of an account that has no quota of bytes any more. */
const FORGOTTEN_MS = 60 * 60 * 1000
/** What was measured so long ago is measured anew before a write is refused for it. */
const FRESH_MS = 1000
/** For a measurement that is waited for; without it, what was counted holds. */
const MEASURE_WAIT_MS = 2000
/**
 * Of the room left, what one write may have whose size nobody knows before. What others want meanwhile comes of the rest, so that
 * all of them together have no more than there is.
 */
const LARGEST_SHARE = 0.9

/** Cells of `signals`: whether somebody measures, how often it was asked for, and how often it was done. */
const WATCHED = 0
const ASKED = 1
const DONE = 2
const SIGNALS = 3

/** What all threads that hold accounts to their quotas have to share. */
export interface QuotaMemory {
  readonly table: TableMemory
  readonly signals: SharedArrayBuffer
}

export function createQuotaUses(): QuotaMemory {
  const table = createTable({ names: ACCOUNTS, fields: FIELDS })
  return { table, signals: new SharedArrayBuffer(SIGNALS * Int32Array.BYTES_PER_ELEMENT) }
}

/** What accounts use of their quotas, by their ids, as all threads count it together. */
export class QuotaUses {
  private readonly now: () => number
  private readonly table: SharedTable
  private readonly signals: Int32Array<SharedArrayBuffer>

  /** @param now milliseconds since the Unix epoch: a day ends by the clock on the wall */
  constructor({ table, signals }: QuotaMemory, now: () => number) {
    this.now = now
    this.signals = new Int32Array(signals)
    this.table = new SharedTable(table, ({ values, at }) => {
      const time = now()
      const isIdle = values[at + RESERVED] === 0 && values[at + MEASURED_AT]! < time - FORGOTTEN_MS
      return isIdle && values[at + DAY]! < dayOf(time)
    })
  }

  /** Counts a request where the day has seen fewer than `most`; answers whether it had. */
  takeRequest(account: string, most: number): boolean {
    return this.use(account, true, ({ values, at }) => {
      this.beginDay({ values, at })
      if (values[at + REQUESTS]! >= most) return false
      values[at + REQUESTS]! += 1
      return true
    })
  }

  /** Of the day that it is. */
  requestsOf(account: string): number {
    return this.use(account, 0, (record) => {
      this.beginDay(record)
      return record.values[record.at + REQUESTS]!
    })
  }

  /** What was counted before a restart. @param counted on a day, in days since the Unix epoch */
  restoreRequests(account: string, counted: { readonly day: number; readonly requests: number }): void {
    this.use(account, undefined, (record) => {
      this.beginDay(record)
      if (record.values[record.at + DAY] === counted.day)
        record.values[record.at + REQUESTS]! += counted.requests
    })
  }

  /** Keeps room for a write of so many bytes, until it is settled; answers whether there was any. */
  reserveBytes(account: string, bytes: number, most: number): boolean {
    return this.use(account, true, (record) => {
      if (bytes > roomIn(record, most)) return false
      record.values[record.at + RESERVED]! += bytes
      return true
    })
  }

  /** The same for a write whose size nobody knows before; answers how many bytes it may have. */
  reserveShare(account: string, most: number): number {
    return this.use(account, most, (record) => {
      const share = Math.max(0, Math.floor(roomIn(record, most) * LARGEST_SHARE))
      record.values[record.at + RESERVED]! += share
      return share
    })
  }

  /** Says what became of what was reserved: what was stored counts until the next measurement, which tells better. */
  settleBytes(account: string, reserved: number, stored: number): void {
    this.use(account, undefined, ({ values, at }) => {
      values[at + RESERVED] = Math.max(0, values[at + RESERVED]! - reserved)
      values[at + BYTES]! += stored
    })
  }

  /** Undefined where it was not measured. */
  bytesOf(account: string): number | undefined {
    return this.use(account, undefined, ({ values, at }) =>
      values[at + MEASURED_AT] === 0 ? undefined : values[at + BYTES],
    )
  }

  putBytes(account: string, bytes: number): void {
    this.use(account, undefined, ({ values, at }) => {
      values[at + BYTES] = bytes
      values[at + MEASURED_AT] = this.now()
    })
  }

  /**
   * Has what accounts store measured, where that of this one was not within the last second; answers whether it was, which it
   * is not where that takes too long or nobody measures, either. Never rejects.
   */
  async measureAnew(account: string): Promise<boolean> {
    const { signals } = this
    const isFresh = this.use(account, true, ({ values, at }) => {
      const age = this.now() - values[at + MEASURED_AT]!
      return age >= 0 && age < FRESH_MS
    })
    if (isFresh || Atomics.load(signals, WATCHED) === 0) return false
    const done = Atomics.load(signals, DONE)
    Atomics.add(signals, ASKED, 1)
    Atomics.notify(signals, ASKED)
    const isDone = (await Atomics.waitAsync(signals, DONE, done, MEASURE_WAIT_MS).value) !== 'timed-out'
    // Nothing is found of whoever has no app.
    if (isDone && this.bytesOf(account) === undefined) this.putBytes(account, 0)
    return isDone
  }

  /**
   * Measures whenever it is asked for, once for all that ask meanwhile.
   * @param measure never rejects
   * @returns ends it
   */
  onMeasureAnew(measure: () => Promise<void>): () => void {
    const { signals } = this
    Atomics.store(signals, WATCHED, 1)
    const watch = async (): Promise<void> => {
      let seen = Atomics.load(signals, ASKED)
      while (Atomics.load(signals, WATCHED) === 1) {
        await Atomics.waitAsync(signals, ASKED, seen).value
        seen = Atomics.load(signals, ASKED)
        await measure()
        Atomics.add(signals, DONE, 1)
        Atomics.notify(signals, DONE)
      }
    }
    void watch()
    return () => {
      Atomics.store(signals, WATCHED, 0)
      Atomics.notify(signals, ASKED)
    }
  }

  private beginDay({ values, at }: SharedRecord): void {
    const day = dayOf(this.now())
    if (values[at + DAY] === day) return
    values[at + DAY] = day
    values[at + REQUESTS] = 0
  }

  private use<Result>(account: string, without: Result, work: (record: SharedRecord) => Result): Result {
    return this.table.use(account, (record) => (record === undefined ? without : work(record)))
  }
}

/** In days since the Unix epoch, by UTC. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

/** Below 0 where there is more than is allowed. */
function roomIn({ values, at }: SharedRecord, most: number): number {
  return most - values[at + BYTES]! - values[at + RESERVED]!
}
