import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { compareValues } from '../json/compare.ts'
import { parsePath } from '../json/path.ts'
import { isJsonNumber, isJsonObject, type JsonValue, quantity } from '../json/value.ts'
import type { SortField } from './ast.ts'
import { someValueAt } from './walk.ts'

/** Each may be two terms of an ORDER BY, of which databases take between 1,600 and 2,000. */
const SORT_FIELDS = 500

/**
 * Takes the value of `s` apart, its fields in the order in which they are written.
 * @throws AppError `invalid_parameter`, `nesting_too_deep`
 */
export function parseSort(value: JsonValue, limits: Limits): SortField[] {
  if (!isJsonObject(value))
    throw new AppError('invalid_parameter', 's should be an object such as {"name":1,"age":-1}')
  const most = Math.min(limits.queryConditions, SORT_FIELDS)
  if (value.size > most) throw new AppError('invalid_parameter', `s may name at most ${most} fields`)
  return [...value].map(([field, direction]) => ({
    path: parsePath(field, limits.nestingLevels),
    direction: parseDirection(direction),
  }))
}

function parseDirection(value: JsonValue): 1 | -1 {
  const direction = isJsonNumber(value) ? quantity(value) : undefined
  if (direction === 1 || direction === -1) return direction
  throw new AppError(
    'invalid_parameter',
    'each field of s should have the value 1 (ascending) or -1 (descending)',
  )
}

/** The order of two documents, zero where every field ties; natural order then decides. */
export function compareDocuments(a: JsonValue, b: JsonValue, sort: readonly SortField[]): number {
  for (const field of sort) {
    const order = compareValues(sortKey(a, field), sortKey(b, field))
    if (order !== 0) return order * field.direction
  }
  return 0
}

/**
 * The value that stands for a document in one field's order: of all values that the path leads to, elements of an
 * array at its end among them, the least ascending and the greatest descending. Undefined, which sorts as null, where
 * there is none; so an empty array sorts as a missing field.
 */
export function sortKey(root: JsonValue, { path, direction }: SortField): JsonValue | undefined {
  let key: JsonValue | undefined
  let found = false
  const consider = (value: JsonValue | undefined): void => {
    if (!found || compareValues(value, key) * direction < 0) key = value
    found = true
  }
  someValueAt(root, path, (value) => {
    if (Array.isArray(value)) value.forEach(consider)
    else consider(value)
    return false
  })
  return key
}
