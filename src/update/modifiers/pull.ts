import type { Limits } from '../../domain/limits.ts'
import type { Path } from '../../json/path.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts'
import type { Filter } from '../../query/ast.ts'
import { prepareFilter } from '../../query/match.ts'
import { parseFilter } from '../../query/parse.ts'
import type { ModifierAction, PullCondition } from '../ast.ts'
import { invalidUpdate, notApplicable, shownPath } from '../describe.ts'
import { isOneOf } from '../value-set.ts'

/** @throws AppError what `parseFilter` throws */
export function parsePull(operand: JsonValue, limits: Limits): ModifierAction {
  return { kind: 'pull', condition: parseCondition(operand, limits) }
}

/** @throws AppError `invalid_update` */
export function parsePullAll(operand: JsonValue, path: Path): ModifierAction {
  if (!isJsonArray(operand)) throw invalidUpdate(`$pullAll takes an array of values for ${shownPath(path)}`)
  return { kind: 'pullAll', values: operand }
}

function parseCondition(operand: JsonValue, limits: Limits): PullCondition {
  if (!isJsonObject(operand)) return { kind: 'equals', value: operand }
  if (!isAboutTheElement(operand)) return { kind: 'document', filter: parseFilter(operand, limits) }
  return { kind: 'element', filter: withoutPaths(parseFilter(new Map([['element', operand]]), limits)) }
}

/** `$and` joins whole queries; every other operator is about one value. */
function isAboutTheElement(operand: JsonObject): boolean {
  const first = operand.keys().next().value
  return first?.startsWith('$') === true && first !== '$and'
}

/** The conditions on one field as conditions on the value itself. */
function withoutPaths(filter: Filter): Filter {
  switch (filter.kind) {
    case 'and':
      return { kind: 'and', filters: filter.filters.map(withoutPaths) }
    case 'not':
      return { kind: 'not', filter: withoutPaths(filter.filter) }
    default:
      return { ...filter, path: [] }
  }
}

/** @throws AppError `update_not_applicable` */
export function pull(value: JsonValue, condition: PullCondition, path: Path): JsonValue {
  return without(value, elementTest(condition), { modifier: '$pull', path })
}

/** @throws AppError `update_not_applicable` */
export function pullAll(value: JsonValue, values: readonly JsonValue[], path: Path): JsonValue {
  return without(value, isOneOf(values), { modifier: '$pullAll', path })
}

function elementTest(condition: PullCondition): (element: JsonValue) => boolean {
  switch (condition.kind) {
    case 'equals':
      return isOneOf([condition.value])
    case 'element':
      return prepareFilter(condition.filter)
    case 'document': {
      const test = prepareFilter(condition.filter)
      return (element) => isJsonObject(element) && test(element)
    }
    default:
      return condition satisfies never
  }
}

interface Target {
  readonly modifier: string
  readonly path: Path
}

function without(
  value: JsonValue,
  test: (element: JsonValue) => boolean,
  { modifier, path }: Target,
): JsonValue {
  if (!isJsonArray(value)) throw notApplicable(modifier, path, value, 'an array')
  const kept = value.filter((element) => !test(element))
  return kept.length === value.length ? value : kept
}
