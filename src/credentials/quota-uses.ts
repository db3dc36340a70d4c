import { DAY_MS } from '../domain/quota.ts'
import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../shared-memory/table.ts'

/** Accounts with a quota that are counted at a time; one that finds no place is let in, and not counted. */
const ACCOUNTS = 20_000

/** The day that `requests` is of, in days since the Unix epoch, by UTC. */
const DAY = 0
const REQUESTS = 1
/** As it was measured, with what was sent since. */
const BYTES = 2
/** When it was measured, in milliseconds since the Unix epoch; 0 where it was not. */
const MEASURED_AT = 3
const FIELDS = 4

/** What was measured so long ago is of an account that has no quota of bytes any more. */
const FORGOTTEN_MS = 60 * 60 * 1000

/** Memory for what accounts use, which all threads that hold them to their quotas have to share. */
export function createQuotaUses(): TableMemory {
  return createTable({ names: ACCOUNTS, fields: FIELDS })
}

/** What accounts use of their quotas, by their ids, as all threads count it together. */
export class QuotaUses {
  private readonly now: () => number
  private readonly table: SharedTable

  /** @param now milliseconds since the Unix epoch: a day ends by the clock on the wall */
  constructor(memory: TableMemory, now: () => number) {
    this.now = now
    this.table = new SharedTable(memory, ({ values, at }) => {
      const time = now()
      return values[at + DAY]! < dayOf(time) && values[at + MEASURED_AT]! < time - FORGOTTEN_MS
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

  /**
   * Counts bytes that come where there is room for them, until the next measurement tells better; answers whether there was.
   * Before the first one there is.
   */
  takeBytes(account: string, bytes: number, most: number): boolean {
    return this.use(account, true, ({ values, at }) => {
      const isMeasured = values[at + MEASURED_AT]! > 0
      if (isMeasured && values[at + BYTES]! + bytes > most) return false
      values[at + BYTES]! += bytes
      return true
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
