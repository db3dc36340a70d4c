import type { Limits } from '../../domain/limits.ts'
import { compareValues } from '../../json/compare.ts'
import type { Path } from '../../json/path.ts'
import {
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  type JsonArray,
  type JsonValue,
  quantity,
} from '../../json/value.ts'
import type { SortField } from '../../query/ast.ts'
import type { PushAction } from '../ast.ts'
import { invalidUpdate, notApplicable, shown, shownPath } from '../describe.ts'
import { targetAt } from '../draft.ts'
import { parseUpdatePath } from '../parse-path.ts'
import { wholeNumber } from './numbers.ts'

/**
 * Options count only beside `$each`; without it the operand is the value itself.
 * @throws AppError `invalid_update`, `nesting_too_deep`
 */
export function parsePush(operand: JsonValue, path: Path, limits: Limits): PushAction {
  if (!isJsonObject(operand) || !operand.has('$each')) return { kind: 'push', values: [operand] }
  const action: { -readonly [K in keyof PushAction]: PushAction[K] } = { kind: 'push', values: [] }
  for (const [option, value] of operand) {
    switch (option) {
      case '$each':
        if (!isJsonArray(value)) throw invalidUpdate(`$each takes an array (in $push for ${shownPath(path)})`)
        action.values = value
        break
      case '$position':
        action.position = wholeNumber(value, '$position')
        break
      case '$slice':
        action.slice = wholeNumber(value, '$slice')
        break
      case '$sort':
        action.sort = parseSort(value, limits)
        break
      default:
        throw invalidUpdate(`$push knows $each, $position, $slice and $sort, not ${shown(option)}`)
    }
  }
  return action
}

function parseSort(value: JsonValue, limits: Limits): 1 | -1 | SortField[] {
  if (!isJsonObject(value)) return parseDirection(value)
  if (value.size === 0 || value.size > limits.queryConditions)
    throw invalidUpdate(`the $sort of $push takes 1 to ${limits.queryConditions} fields`)
  return [...value].map(([field, direction]) => ({
    path: parseUpdatePath(field, limits),
    direction: parseDirection(direction),
  }))
}

function parseDirection(value: JsonValue): 1 | -1 {
  const direction = isJsonNumber(value) ? quantity(value) : undefined
  if (direction === 1 || direction === -1) return direction
  throw invalidUpdate('the $sort of $push takes 1 or -1, for whole elements or for each of their fields')
}

/**
 * Puts the values in, then sorts, then slices, in this order however the options are written.
 * @throws AppError `update_not_applicable`
 */
export function push(value: JsonValue | undefined, action: PushAction, path: Path): JsonValue {
  const before = value === undefined ? [] : value
  if (!isJsonArray(before)) throw notApplicable('$push', path, before, 'an array')
  const { values, sort, slice } = action
  const inserted = values.length === 0 ? before : insert(before, action)
  const sorted = sort === undefined ? inserted : sortArray(inserted, sort)
  return slice === undefined ? sorted : sliceArray(sorted, slice)
}

function insert(array: JsonArray, { values, position = array.length }: PushAction): JsonArray {
  return [...array.slice(0, position), ...values, ...array.slice(position)]
}

/** Stable: what ties stays in the order in which it stood. */
function sortArray(array: JsonArray, sort: 1 | -1 | readonly SortField[]): JsonArray {
  if (typeof sort === 'number') return array.toSorted((a, b) => compareValues(a, b) * sort)
  const rows = array.map((element) => ({
    element,
    keys: sort.map((field) => {
      const target = targetAt(element, field.path)
      return target.kind === 'present' ? target.value : null
    }),
  }))
  rows.sort((a, b) => {
    for (let i = 0; i < sort.length; i++) {
      const order = compareValues(a.keys[i], b.keys[i])
      if (order !== 0) return order * sort[i]!.direction
    }
    return 0
  })
  return rows.map(({ element }) => element)
}

function sliceArray(array: JsonArray, slice: number): JsonArray {
  if (Math.abs(slice) >= array.length) return array
  return slice < 0 ? array.slice(slice) : array.slice(0, slice)
}
