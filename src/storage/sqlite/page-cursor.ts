import { AppError } from '../../errors.ts'
import { RANK } from '../../json/compare.ts'
import { parseJson } from '../../json/exact.ts'
import { orderKey, quantityOfKey, rankOfKey, textOfKey } from '../../json/order-key.ts'
import type { SortField } from '../../query/ast.ts'
import { sortKey } from '../../query/sort.ts'
import { CURSOR_FIELDS, type Cursor } from '../store.ts'
import type { StoredCollection } from './catalog.ts'
import { sortTerms } from './compile-sort.ts'
import type { Connection, SqlValue } from './connection.ts'
import { keyColumn } from './schema.ts'

/** What was stored was checked when it came in. */
const STORED = { nestingLevels: Number.POSITIVE_INFINITY }

/** A condition with the AND that joins it to others in a WHERE clause, or nothing. */
export interface FurtherCondition {
  readonly text: string
  readonly parameters: readonly SqlValue[]
}

const NOTHING: FurtherCondition = { text: '', parameters: [] }

/** One of the expressions that documents are ordered by, and its value at the cursor. */
interface OrderTerm {
  readonly sql: string
  readonly direction: 1 | -1
  readonly value: SqlValue
}

/** The cursor of a page that ends at a place, or undefined where the sort has too many fields. */
export function cursorAt(
  connection: Connection,
  { id: collection, table }: StoredCollection,
  { place, sort }: { place: number; sort: readonly SortField[] },
): Cursor | undefined {
  if (sort.length === 0) return { collection, place, keys: [] }
  if (sort.length > CURSOR_FIELDS) return undefined
  const [text] = connection.row<[string]>(`SELECT json(doc) FROM ${table} WHERE seq = ?`, place)!
  const document = parseJson(text, STORED)
  return { collection, place, keys: sort.map((field) => orderKey(sortKey(document, field))) }
}

/** Places in natural order begin anew in a collection of the same name. @throws AppError `invalid_cursor` */
export function refuseOldCursor({ id }: StoredCollection, after: Cursor | undefined): void {
  if (after !== undefined && after.collection !== id)
    throw new AppError(
      'invalid_cursor',
      'the collection that this cursor is of was dropped, and another has its name: begin again without after',
    )
}

export function isOldCursor(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid_cursor'
}

/** What comes behind a cursor in natural order: ` AND …`. */
export function afterPlace(column: string, after: Cursor | undefined): FurtherCondition {
  return after === undefined ? NOTHING : { text: ` AND ${column} > ?`, parameters: [after.place] }
}

/**
 * The entries of an index behind a cursor, where they stand in the order of the sort from one field on: `… AND `, to
 * stand before all else, for of several bounds on one column SQLite searches by the first.
 */
export function afterEntry(
  { firstField, sort }: { firstField: number; sort: readonly SortField[] },
  after: Cursor | undefined,
): FurtherCondition {
  if (after === undefined) return NOTHING
  const terms = sort.map(({ direction }, at) => ({
    sql: keyColumn(firstField + at),
    direction,
    value: after.keys[at]!,
  }))
  const [first] = terms
  const behind = behindTerms(terms, { column: 'place', place: after.place })
  // Says nothing new, but lets SQLite begin where the cursor stands.
  const bound = `${first!.sql} ${first!.direction === 1 ? '>=' : '<='} ?`
  return { text: `${bound} AND ${behind.text} AND `, parameters: [first!.value, ...behind.parameters] }
}

/** The documents behind a cursor, in the order of `compileSort`: ` AND …`. */
export function afterDocument(sort: readonly SortField[], after: Cursor | undefined): FurtherCondition {
  if (after === undefined) return NOTHING
  const terms = sort.flatMap((field, at) => {
    const key = after.keys[at]!
    const expressions = sortTerms(field, at)
    const values = expressions.length === 1 ? [valueOfKey(key)] : [rankOfKey(key), valueOfKey(key)]
    return expressions.map((sql, part) => ({ sql, direction: field.direction, value: values[part]! }))
  })
  const behind = behindTerms(terms, { column: 'seq', place: after.place })
  return { text: ` AND ${behind.text}`, parameters: behind.parameters }
}

/** Behind in the first term, or equal there and behind in what follows; NULL is equal to NULL alone. */
function behindTerms(
  terms: readonly OrderTerm[],
  { column, place }: { column: string; place: number },
): FurtherCondition {
  return terms.reduceRight<FurtherCondition>(
    ({ text, parameters }, { sql, direction, value }) => ({
      text: `(${sql} ${direction === 1 ? '>' : '<'} ? OR (${sql} IS ? AND ${text}))`,
      parameters: [value, value, ...parameters],
    }),
    { text: `${column} > ?`, parameters: [place] },
  )
}

/** What `sheaf_sort_value` and its like give for the value that has a key. */
function valueOfKey(key: Uint8Array): SqlValue {
  switch (rankOfKey(key)) {
    case RANK.number:
      return quantityOfKey(key)
    case RANK.text:
      return textOfKey(key)
    case RANK.object:
    case RANK.array:
      return key
    default:
      return null
  }
}
