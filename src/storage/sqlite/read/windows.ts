import { frequentDeadlineCheck } from '../compile/deadline-check.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection, SqlValue } from '../files/connection.ts'
import type { CompiledFilter } from '../protocol/compiled-filter.ts'
import type { ReadPlan } from '../protocol/requests.ts'
import { FOREGROUND_DOCUMENTS } from './foreground-budget.ts'

/** Row ids in natural order that one statement looks at, at first and at most, before the time is looked at. */
const FIRST_WINDOW = 2000
const LAST_WINDOW = 32_000
/** Time after which a read that has not finished lets others of its thread go first. */
const SLICE_MS = 10
const FOREGROUND_SLICE_MS = 1

/** A part of a collection in natural order, as the beginning of a WHERE clause. */
export interface Window {
  readonly condition: string
  /** The row id after which it begins is the first of them. */
  readonly parameters: SqlValue[]
  readonly to: number
}

/**
 * Goes through the windows of a collection until the time slice is used up. `read` answers the row id at which it
 * stopped, or undefined where it has seen the whole window.
 */
export function scanWindows(
  connection: Connection,
  { table }: StoredCollection,
  {
    filter,
    after: start,
    to: last = Number.MAX_SAFE_INTEGER,
    isForeground,
    isFull,
    read,
  }: {
    filter: CompiledFilter
    after: number
    to?: number | undefined
    isForeground: boolean
    isFull: () => boolean
    read: (window: Window) => number | undefined
  },
): { after: number; done: boolean; examined: number } {
  const greatest = connection.row<[number | null]>(`SELECT max(seq) FROM ${table}`)?.[0] ?? 0
  const end = Math.min(greatest, last)
  const began = performance.now()
  // The plus keeps SQLite from walking through the row ids when the index on ids finds the few that matter.
  const seq = filter.usesIdIndex ? '+seq' : 'seq'
  // A background reader looks at the time between windows.
  const clock = isForeground ? `${frequentDeadlineCheck('seq')} AND ` : ''
  const condition = `${seq} > ? AND ${seq} <= ? AND ${clock}${filter.text}`
  const sliceMs = isForeground ? FOREGROUND_SLICE_MS : SLICE_MS
  let window = isForeground ? FOREGROUND_DOCUMENTS : FIRST_WINDOW
  // What was deleted, as at the beginning of a queue, and what an import left free, is passed over at once.
  const passOver = (rowId: number): number => {
    const least = connection.row<[number | null]>(`SELECT min(seq) FROM ${table} WHERE seq > ?`, rowId)?.[0]
    return least == null ? Math.max(rowId, end) : Math.min(end, least - 1)
  }
  let after = passOver(start)
  let examined = 0
  while (after < end) {
    const to = filter.usesIdIndex ? end : Math.min(end, after + window)
    const stopped = read({ condition, parameters: [after, to, ...filter.parameters], to })
    examined += (stopped ?? to) - after
    after = stopped ?? (filter.usesIdIndex ? to : passOver(to))
    const ms = performance.now() - began
    if (isFull() || ms > sliceMs) break
    // So that time is looked at often enough where a document takes long, and seldom where it doesn't.
    if (2 * ms < sliceMs) window = Math.min(2 * window, LAST_WINDOW)
  }
  return { after, done: after >= end, examined }
}

/** @param examined row ids, of which some may be empty */
export function planOf(
  connection: Connection,
  collection: StoredCollection,
  { filter, examined, found }: { filter: CompiledFilter; examined: number; found: number },
): ReadPlan {
  if (filter.usesIdIndex) return { kind: 'id', examined: found }
  return { kind: 'scan', examined: Math.min(examined, connection.catalog.documentsOf(collection)) }
}
