import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../shared-memory/table.ts'

const MINUTE_MS = 60_000
/** Ten minutes, and the one that they begin in. */
const MINUTES = 11

/** The minute that was counted last; behind it are the attempts of each of the last eleven. */
const LATEST = 0
const COUNTS = 1
const FIELDS = COUNTS + MINUTES

export interface AttemptWindow {
  /**
   * Counts an attempt. Answers for how many seconds none may be made where there were as many as there may be, and
   * `no-room` where no more names can be remembered.
   */
  begin(name: string): number | 'no-room' | undefined
  /** Counts one attempt less. */
  takeBack(name: string): void
}

/** @param names how many there is room for */
export function createWindows(names: number): TableMemory {
  return createTable({ names, fields: FIELDS })
}

/**
 * At most so many attempts in any ten minutes by a name. They are counted by the minute, so that one is forgotten after
 * ten to eleven. A name is remembered until all its attempts are forgotten, and never makes room for another before.
 * @param now milliseconds of a clock that is never set back, and the same for all threads
 */
export function createAttemptWindow(options: {
  readonly memory: TableMemory
  readonly mostAttempts: number
  readonly now: () => number
}): AttemptWindow {
  const { memory, mostAttempts, now } = options
  const windows = new SharedTable(memory, (record) => total(record, minuteOf(now())) === 0)
  return {
    begin: (name) =>
      windows.use(name, (record) => {
        if (record === undefined) return 'no-room'
        moveTo(record, minuteOf(now()))
        const waitMs =
          total(record, minuteOf(now())) < mostAttempts ? 0 : freeAt(record, mostAttempts) - now()
        if (waitMs > 0) return Math.ceil(waitMs / 1000)
        record.values[cell(record, minuteOf(now()))]! += 1
        return undefined
      }),
    takeBack: (name) =>
      windows.use(name, (record) => {
        const latest = record === undefined ? undefined : lastCounted(record)
        if (latest !== undefined) record!.values[latest]! -= 1
      }),
  }
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS)
}

/** Where the attempts of a minute are counted. */
function cell({ at }: SharedRecord, minute: number): number {
  return at + COUNTS + (minute % MINUTES)
}

/** Forgets the minutes that have left the window. */
function moveTo(record: SharedRecord, minute: number): void {
  const { values, at } = record
  const latest = values[at + LATEST]!
  for (let gone = Math.max(latest + 1, minute - MINUTES + 1); gone <= minute; gone++)
    values[cell(record, gone)] = 0
  values[at + LATEST] = Math.max(latest, minute)
}

function total({ values, at }: SharedRecord, minute: number): number {
  let sum = 0
  // All are counted where time has not moved on that far, so that nothing is forgotten before its time.
  for (let age = 0; age < MINUTES; age++) {
    const counted = values[at + LATEST]! - age
    if (counted >= 0 && counted > minute - MINUTES) sum += values[at + COUNTS + (counted % MINUTES)]!
  }
  return sum
}

/** When one more attempt may be made, in milliseconds of the clock. */
function freeAt(record: SharedRecord, mostAttempts: number): number {
  const { values, at } = record
  const latest = values[at + LATEST]!
  let left = total(record, latest)
  let minute = Math.max(0, latest - MINUTES + 1)
  while (left - values[cell(record, minute)]! >= mostAttempts) left -= values[cell(record, minute++)]!
  return (minute + MINUTES) * MINUTE_MS
}

function lastCounted(record: SharedRecord): number | undefined {
  const { values, at } = record
  const latest = values[at + LATEST]!
  for (let minute = latest; minute >= 0 && minute > latest - MINUTES; minute--)
    if (values[cell(record, minute)]! > 0) return cell(record, minute)
  return undefined
}
