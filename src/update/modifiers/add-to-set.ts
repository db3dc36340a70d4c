import { equalValues } from '../../json/compare.ts'
import type { Path } from '../../json/path.ts'
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../json/value.ts'
import type { ModifierAction } from '../ast.ts'
import { invalidUpdate, notApplicable, shownPath } from '../describe.ts'
import { areFewScalars, ValueSet } from '../value-set.ts'

/** @throws AppError `invalid_update` */
export function parseAddToSet(operand: JsonValue, path: Path): ModifierAction {
  const each = isJsonObject(operand) ? operand.get('$each') : undefined
  if (each === undefined) return { kind: 'addToSet', values: [operand] }
  if (!isJsonArray(each)) throw invalidUpdate(`$each takes an array (in $addToSet for ${shownPath(path)})`)
  if (isJsonObject(operand) && operand.size > 1)
    throw invalidUpdate(
      `$addToSet takes nothing beside $each for ${shownPath(path)}; other options belong to $push`,
    )
  return { kind: 'addToSet', values: each }
}

/**
 * Adds each value that no element equals, in their order. Duplicates that the array had already stay.
 * @throws AppError `update_not_applicable`
 */
export function addToSet(value: JsonValue | undefined, values: readonly JsonValue[], path: Path): JsonValue {
  const array = value === undefined ? [] : value
  if (!isJsonArray(array)) throw notApplicable('$addToSet', path, array, 'an array')
  const added = areFewScalars(values) ? newAmongFew(array, values) : newAmongMany(array, values)
  return value !== undefined && added.length === 0 ? value : [...array, ...added]
}

function newAmongFew(array: JsonArray, values: readonly JsonValue[]): JsonArray {
  const added: JsonArray = []
  for (const value of values) {
    const isEqual = (element: JsonValue) => equalValues(element, value)
    if (!array.some(isEqual) && !added.some(isEqual)) added.push(value)
  }
  return added
}

function newAmongMany(array: JsonArray, values: readonly JsonValue[]): JsonArray {
  const set = new ValueSet(array)
  return values.filter((value) => set.add(value))
}
