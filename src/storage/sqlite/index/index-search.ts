import type { Path } from '../../../json/path.ts'
import type { Condition, Filter } from '../../../query/ast.ts'
import { deadlineCheck } from '../compile/deadline-check.ts'
import type { StoredIndex } from '../files/catalog.ts'
import type { Connection, SqlValue, TimeLimit } from '../files/connection.ts'
import { keyColumn } from '../files/schema.ts'
import { boundsOf, type ConditionBounds, conditionsOf, intersect, type KeyBounds } from './index-bounds.ts'
import { OVERFLOW_KEY, realField } from './index-keys.ts'

/**
 * Times that SQLite seeks in an index for lists of keys on several fields, at most: once for each combination. A list
 * beyond that is compared with what is found. For nothing interrupts SQLite, and the time is not looked at, while it
 * seeks and finds nothing.
 */
const COMBINED_SEEKS = 2000

/** A part of an index in which every document that matches a filter has an entry. */
export interface IndexSearch {
  readonly index: StoredIndex
  /** SQL for the entries that are looked at, for SQLite to seek them. */
  readonly within: ColumnSql
  /** How often SQLite seeks, whatever it finds. */
  readonly seeks: number
  /** SQL for the entries that are found, which asks for the time. */
  readonly where: string
  readonly parameters: readonly SqlValue[]
  /** Leading fields whose key is one and the same throughout the part. */
  readonly constantFields: number
  /** Whether each entry's document matches, so that no document has to be looked at. */
  readonly isExact: boolean
}

/** SQL over an index's columns. */
interface ColumnSql {
  readonly text: string
  readonly parameters: readonly SqlValue[]
}

/** A field's bounds by all conditions on it together, and those that the bounds say completely. */
interface FieldBounds {
  readonly bounds: KeyBounds
  readonly said: readonly Condition[]
}

/** The part of an index that a filter needs, or undefined where it says nothing about the index's first field. */
export function searchOf(index: StoredIndex, filter: Filter): IndexSearch | undefined {
  const { conditions, isWhole } = conditionsOf(filter)
  const within: ColumnSql[] = []
  const compared: ColumnSql[] = []
  const said = new Set<Condition>()
  let seeks = 1
  let constantFields = 0
  let real = 0
  for (const [field, { path }] of index.fields.entries()) {
    const found = fieldBounds(conditionsOn(path, conditions), isMultikey(index, field))
    if (found === undefined) break
    const { bounds } = found
    const keys = 'points' in bounds ? bounds.points.length : 1
    if (compared.length === 0 && (keys <= 1 || seeks === 1 || seeks * keys <= COMBINED_SEEKS)) {
      within.push(boundsSql(keyColumn(field), bounds))
      seeks *= keys
    } else compared.push(boundsSql(`+${keyColumn(field)}`, bounds))
    real |= realField(field)
    for (const condition of found.said) said.add(condition)
    if (constantFields === field && 'points' in bounds && keys === 1) constantFields++
    if (!('points' in bounds)) break
  }
  if (within.length === 0) return undefined
  const isExact = isWhole && !index.hasOverflow && conditions.every((condition) => said.has(condition))
  if (isExact) compared.push({ text: `flags & ${real} = ${real}`, parameters: [] })
  const all = allOf([...within, IN_TIME_ON_ENTRIES, ...compared])
  return {
    index,
    within: allOf(within),
    seeks,
    where: all.text,
    parameters: all.parameters,
    constantFields,
    isExact,
  }
}

const IN_TIME_ON_ENTRIES: ColumnSql = { text: deadlineCheck('place'), parameters: [] }

function allOf(parts: readonly ColumnSql[]): ColumnSql {
  return {
    text: parts.map(({ text }) => text).join(' AND '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  }
}

export function isMultikey({ multikey }: StoredIndex, field: number): boolean {
  return (multikey & (1 << field)) !== 0
}

/** SELECT of the row ids of all documents that can match; one with several entries may come several times. */
export function rowIdsSql({ index, where }: IndexSearch): string {
  return `SELECT place FROM ${index.table} WHERE ${where}${overflowSql(index)}`
}

/** How many entries a search looks at, counted up to a bound. */
export function countCandidates(
  connection: Connection,
  { index, within }: IndexSearch,
  bound: number,
): number {
  const entries = `SELECT place FROM ${index.table} WHERE ${within.text}${overflowSql(index)}`
  const sql = `SELECT count(*) FROM (${entries} LIMIT ?)`
  return connection.row<[number]>(sql, ...within.parameters, bound)![0]
}

function overflowSql({ hasOverflow, table }: StoredIndex): string {
  if (!hasOverflow) return ''
  return ` UNION ALL SELECT place FROM ${table} WHERE ${keyColumn(0)} = x'${Buffer.from(OVERFLOW_KEY).toString('hex')}'`
}

/** How many documents a search finds that is exact. */
export function countExact(
  connection: Connection,
  { index, where, parameters }: IndexSearch,
  limit: TimeLimit,
): number {
  const what = index.multikey === 0 ? 'count(*)' : 'count(DISTINCT place)'
  return connection.row<[number]>(
    `SELECT ${what} FROM ${index.table} WHERE ${where}`,
    limit,
    ...parameters,
  )![0]
}

function conditionsOn(path: Path, conditions: readonly Condition[]): Condition[] {
  return conditions.filter(
    (condition) =>
      condition.path.length === path.length && condition.path.every((part, at) => part === path[at]),
  )
}

/**
 * Where a document has several values, each condition may be met by another one, so that only one condition can be
 * searched by: the one with the fewest keys.
 */
function fieldBounds(conditions: readonly Condition[], isMulti: boolean): FieldBounds | undefined {
  const found = conditions.flatMap((condition) => {
    const bounds = boundsOf(condition)
    return bounds === undefined ? [] : [{ condition, ...bounds }]
  })
  if (found.length === 0) return undefined
  const used = isMulti ? [found.reduce(fewerKeys)] : found
  return {
    bounds: used.map(({ bounds }) => bounds).reduce(intersect),
    said: used.filter(({ isExact }) => isExact).map(({ condition }) => condition),
  }
}

function fewerKeys<Bounds extends ConditionBounds>(one: Bounds, other: Bounds): Bounds {
  const size = ({ bounds }: Bounds): number =>
    'points' in bounds ? bounds.points.length : Number.POSITIVE_INFINITY
  return size(other) < size(one) ? other : one
}

function boundsSql(column: string, bounds: KeyBounds): ColumnSql {
  if (!('points' in bounds))
    return { text: `${column} >= ? AND ${column} < ?`, parameters: [bounds.low, bounds.high] }
  const { points } = bounds
  if (points.length === 0) return { text: '0', parameters: [] }
  if (points.length === 1) return { text: `${column} = ?`, parameters: [points[0]!] }
  const list = JSON.stringify(points.map((key) => Buffer.from(key).toString('hex')))
  return { text: `${column} IN (SELECT unhex(value) FROM json_each(?))`, parameters: [list] }
}
