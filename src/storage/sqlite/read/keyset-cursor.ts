import { AppError } from '../../../errors.ts'
import { RANK } from '../../../json/compare.ts'
import { orderKey, quantityOfKey, rankOfKey, textOfKey } from '../../../json/order-key.ts'
import { storedValue } from '../../../json/stored.ts'
import type { SortField } from '../../../query/ast.ts'
import { sortKey } from '../../../query/sort.ts'
import { CURSOR_FIELDS, type Cursor } from '../../store.ts'
import { sortTerms } from '../compile/compile-sort.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection, SqlValue } from '../files/connection.ts'
import { keyColumn } from '../files/schema.ts'

/** A condition with the AND that joins it to others in a WHERE clause, or nothing. */
export interface FurtherCondition {
  readonly text: string
  readonly parameters: readonly SqlValue[]
}

/** What a cursor says. */
export interface PageEnd {
  /** The number of the collection, which no other of the app ever has, also not one of the same name. */
  readonly collection: number
  /** The last document's row id in natural order, which no other document of the collection ever takes. */
  readonly rowId: number
  /** The order key of each field of the sort, as the last document had it. */
  readonly keys: readonly Uint8Array[]
}

/** The first byte of a cursor: how the rest of it is written. */
const VERSION = 3
const LENGTH_BYTES = 4
/** Of the number of a collection, and of a row id. */
const NUMBER_BYTES = 8
const HEAD_BYTES = 1 + 2 * NUMBER_BYTES

export function writeCursor({ collection, rowId, keys }: PageEnd): Cursor {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = VERSION
  head.writeBigUInt64BE(BigInt(collection), 1)
  head.writeBigUInt64BE(BigInt(rowId), 1 + NUMBER_BYTES)
  const parts = keys.flatMap((key) => {
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(key.byteLength)
    return [length, key]
  })
  return Uint8Array.from(Buffer.concat([head, ...parts]))
}

/**
 * @param cursor that `writeCursor` made, of this version or another
 * @throws AppError `invalid_cursor`
 */
export function readCursor(cursor: Cursor): PageEnd {
  if (cursor[0] !== VERSION)
    throw new AppError('invalid_cursor', 'another version made this cursor: begin again without after')
  const bytes = Buffer.from(cursor.buffer, cursor.byteOffset, cursor.byteLength)
  const keys: Uint8Array[] = []
  for (let at = HEAD_BYTES; at < bytes.length; ) {
    const start = at + LENGTH_BYTES
    at = start + bytes.readUInt32BE(at)
    keys.push(bytes.subarray(start, at))
  }
  return {
    collection: Number(bytes.readBigUInt64BE(1)),
    rowId: Number(bytes.readBigUInt64BE(1 + NUMBER_BYTES)),
    keys,
  }
}

const NOTHING: FurtherCondition = { text: '', parameters: [] }

/** One of the expressions that documents are ordered by, and its value at the cursor. */
interface OrderTerm {
  readonly sql: string
  readonly direction: 1 | -1
  readonly value: SqlValue
}

/** The cursor of a page that ends at a row id, or undefined where the sort has too many fields. */
export function cursorAt(
  connection: Connection,
  { id: collection, table }: StoredCollection,
  { rowId, sort }: { rowId: number; sort: readonly SortField[] },
): Cursor | undefined {
  if (sort.length === 0) return writeCursor({ collection, rowId, keys: [] })
  if (sort.length > CURSOR_FIELDS) return undefined
  const [text] = connection.row<[string]>(`SELECT json(doc) FROM ${table} WHERE seq = ?`, rowId)!
  const document = storedValue(text)
  return writeCursor({ collection, rowId, keys: sort.map((field) => orderKey(sortKey(document, field))) })
}

/**
 * Where a cursor stands in a collection. Row ids in natural order begin anew in one of the same name.
 * @throws AppError `invalid_cursor`
 */
export function endOfPage({ id }: StoredCollection, cursor: Cursor): PageEnd {
  const end = readCursor(cursor)
  if (end.collection === id) return end
  throw new AppError(
    'invalid_cursor',
    'the collection that this cursor is of was dropped, and another has its name: begin again without after',
  )
}

export function isOldCursor(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid_cursor'
}

/** What comes behind a cursor in natural order: ` AND …`. */
export function afterRowId(column: string, after: PageEnd | undefined): FurtherCondition {
  return after === undefined ? NOTHING : { text: ` AND ${column} > ?`, parameters: [after.rowId] }
}

/**
 * The entries of an index behind a cursor, where they stand in the order of the sort from one field on: `… AND `, to
 * stand before all else, for of several bounds on one column SQLite searches by the first.
 */
export function afterEntry(
  { firstField, sort }: { firstField: number; sort: readonly SortField[] },
  after: PageEnd | undefined,
): FurtherCondition {
  if (after === undefined) return NOTHING
  const terms = sort.map(({ direction }, at) => ({
    sql: keyColumn(firstField + at),
    direction,
    value: after.keys[at]!,
  }))
  if (terms.every(({ direction }) => direction === 1)) return afterAscending(terms, after.rowId)
  const [first] = terms
  const behind = behindTerms(terms, { column: 'place', rowId: after.rowId })
  // Says nothing new, but lets SQLite begin where the cursor stands.
  const bound = `${first!.sql} ${first!.direction === 1 ? '>=' : '<='} ?`
  return { text: `${bound} AND ${behind.text} AND `, parameters: [first!.value, ...behind.parameters] }
}

/** By one comparison, for SQLite to begin right at the cursor, however many entries have the same keys. */
function afterAscending(terms: readonly OrderTerm[], rowId: number): FurtherCondition {
  const columns = [...terms.map(({ sql }) => sql), 'place']
  return {
    text: `(${columns.join(', ')}) > (${columns.map(() => '?').join(', ')}) AND `,
    parameters: [...terms.map(({ value }) => value), rowId],
  }
}

/** The documents behind a cursor, in the order of `compileSort`: ` AND …`. */
export function afterDocument(sort: readonly SortField[], after: PageEnd | undefined): FurtherCondition {
  if (after === undefined) return NOTHING
  const terms = sort.flatMap((field, at) => {
    const key = after.keys[at]!
    const expressions = sortTerms(field, at)
    const values = expressions.length === 1 ? [valueOfKey(key)] : [rankOfKey(key), valueOfKey(key)]
    return expressions.map((sql, part) => ({ sql, direction: field.direction, value: values[part]! }))
  })
  const behind = behindTerms(terms, { column: 'seq', rowId: after.rowId })
  return { text: ` AND ${behind.text}`, parameters: behind.parameters }
}

/** Behind in the first term, or equal there and behind in what follows; NULL is equal to NULL alone. */
function behindTerms(
  terms: readonly OrderTerm[],
  { column, rowId }: { column: string; rowId: number },
): FurtherCondition {
  return terms.reduceRight<FurtherCondition>(
    ({ text, parameters }, { sql, direction, value }) => ({
      text: `(${sql} ${direction === 1 ? '>' : '<'} ? OR (${sql} IS ? AND ${text}))`,
      parameters: [value, value, ...parameters],
    }),
    { text: `${column} > ?`, parameters: [rowId] },
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
