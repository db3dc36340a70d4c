import type { Path } from '../../../json/path.ts'
import type { Condition, Filter } from '../../../query/ast.ts'
import type { StoredIndex } from '../files/catalog.ts'
import type { Connection, SqlValue } from '../files/connection.ts'
import { keyColumn } from '../files/schema.ts'
import { boundsOf, type ConditionBounds, conditionsOf, intersect, type KeyBounds } from './index-bounds.ts'
import { APART_KEY, realField } from './index-keys.ts'

/** A part of an index in which every document that matches a filter has an entry. */
export interface IndexSearch {
  readonly index: StoredIndex
  /** SQL over the index's columns, with its parameters. */
  readonly where: string
  readonly parameters: readonly SqlValue[]
  /** Leading fields whose key is one and the same throughout the part. */
  readonly constantFields: number
  /** Whether each entry's document matches, so that no document has to be looked at. */
  readonly isExact: boolean
}

/** A field's bounds by all conditions on it together, and those that the bounds say completely. */
interface FieldBounds {
  readonly bounds: KeyBounds
  readonly said: readonly Condition[]
}

/** The part of an index that a filter needs, or undefined where it says nothing about the index's first field. */
export function searchOf(index: StoredIndex, filter: Filter): IndexSearch | undefined {
  const { conditions, isWhole } = conditionsOf(filter)
  const parts: string[] = []
  const parameters: SqlValue[] = []
  const said = new Set<Condition>()
  let constantFields = 0
  let real = 0
  for (const [field, { path }] of index.fields.entries()) {
    const found = fieldBounds(conditionsOn(path, conditions), isMultikey(index, field))
    if (found === undefined) break
    const sql = boundsSql(keyColumn(field), found.bounds)
    parts.push(sql.text)
    real |= realField(field)
    parameters.push(...sql.parameters)
    for (const condition of found.said) said.add(condition)
    if (constantFields === field && 'points' in found.bounds && found.bounds.points.length === 1)
      constantFields++
    if (!('points' in found.bounds)) break
  }
  if (parts.length === 0) return undefined
  const isExact = isWhole && !index.hasApart && conditions.every((condition) => said.has(condition))
  if (isExact) parts.push(`flags & ${real} = ${real}`)
  return { index, where: parts.join(' AND '), parameters, constantFields, isExact }
}

export function isMultikey({ multikey }: StoredIndex, field: number): boolean {
  return (multikey & (1 << field)) !== 0
}

/** SELECT of the places of all documents that can match; one with several entries may come several times. */
export function placesSql({ index, where }: IndexSearch): string {
  const within = `SELECT place FROM ${index.table} WHERE ${where}`
  if (!index.hasApart) return within
  return `${within} UNION ALL SELECT place FROM ${index.table} WHERE ${keyColumn(0)} = x'${Buffer.from(APART_KEY).toString('hex')}'`
}

/** How many entries a search meets, counted up to a bound. */
export function countCandidates(connection: Connection, search: IndexSearch, bound: number): number {
  const sql = `SELECT count(*) FROM (${placesSql(search)} LIMIT ?)`
  return connection.row<[number]>(sql, ...search.parameters, bound)![0]
}

/** How many documents a search finds that is exact. */
export function countExact(connection: Connection, search: IndexSearch): number {
  const what = search.index.multikey === 0 ? 'count(*)' : 'count(DISTINCT place)'
  const sql = `SELECT ${what} FROM ${search.index.table} WHERE ${search.where}`
  return connection.row<[number]>(sql, ...search.parameters)![0]
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

function boundsSql(column: string, bounds: KeyBounds): { text: string; parameters: SqlValue[] } {
  if (!('points' in bounds))
    return { text: `${column} >= ? AND ${column} < ?`, parameters: [bounds.low, bounds.high] }
  const { points } = bounds
  if (points.length === 0) return { text: '0', parameters: [] }
  if (points.length === 1) return { text: `${column} = ?`, parameters: [points[0]!] }
  const list = JSON.stringify(points.map((key) => Buffer.from(key).toString('hex')))
  return { text: `${column} IN (SELECT unhex(value) FROM json_each(?))`, parameters: [list] }
}
