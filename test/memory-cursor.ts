import { AppError } from '../src/errors.ts'
import { orderKey } from '../src/json/order-key.ts'
import type { JsonObject } from '../src/json/value.ts'
import type { SortField } from '../src/query/ast.ts'
import { sortKey } from '../src/query/sort.ts'
import { CURSOR_FIELDS, type Cursor } from '../src/storage/store.ts'

/** A document, and where it stands in natural order. */
export interface WithRowId {
  readonly rowId: number
  readonly document: JsonObject
}

interface PageEnd {
  readonly collection: number
  readonly rowId: number
  /** In hexadecimal. */
  readonly keys: readonly string[]
}

export function endOfPage(cursor: Cursor | undefined, number: number): PageEnd | undefined {
  if (cursor === undefined) return undefined
  const end: PageEnd = JSON.parse(Buffer.from(cursor).toString())
  if (number === 0 || end.collection === number) return end
  throw new AppError('invalid_cursor', 'the collection that this cursor is of was dropped')
}

export function cursorAt(
  { rowId, document }: WithRowId,
  sort: readonly SortField[],
  collection: number,
): { end?: Cursor } {
  if (sort.length > CURSOR_FIELDS) return {}
  return { end: Buffer.from(JSON.stringify({ collection, rowId, keys: keysOf(document, sort) })) }
}

export function isBehind({ rowId, document }: WithRowId, sort: readonly SortField[], end: PageEnd): boolean {
  for (const [at, key] of keysOf(document, sort).entries()) {
    const order = Buffer.compare(Buffer.from(key, 'hex'), Buffer.from(end.keys[at]!, 'hex'))
    if (order !== 0) return order * sort[at]!.direction > 0
  }
  return rowId > end.rowId
}

function keysOf(document: JsonObject, sort: readonly SortField[]): string[] {
  return sort.map((field) => Buffer.from(orderKey(sortKey(document, field))).toString('hex'))
}
