import { areComparable, compareValues, equalValues, rankOf } from '../json/compare.ts'
import { equalityKey } from '../json/order-key.ts'
import type { JsonValue } from '../json/value.ts'
import type { CompareFilter, Condition, Filter, InFilter } from './ast.ts'
import { compilePattern, type Pattern } from './regex.ts'
import { someValueAt, type ValueTest } from './walk.ts'

/** Whether a value that was prepared for holds for a document, or for any other value. */
export type Predicate = (root: JsonValue) => boolean

/**
 * Whether a filter, which may be a single condition, holds for a value: the one meaning of a query. The value is a
 * document, or what a filter with shorter paths is asked of. To ask about many values, prepare the filter once.
 */
export function matches(root: JsonValue, filter: Filter): boolean {
  return prepareFilter(filter)(root)
}

/**
 * Does what a filter needs once, so that asking about each value is cheap.
 * @param compile where patterns come from; a `patternCache` spares compiling the same ones for each query
 */
export function prepareFilter(
  filter: Filter,
  compile: (pattern: string) => Pattern = compilePattern,
): Predicate {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.filters.map((part) => prepareFilter(part, compile))
      if (parts.length === 1) return parts[0]!
      return (root) => parts.every((part) => part(root))
    }
    case 'not': {
      const part = prepareFilter(filter.filter, compile)
      return (root) => !part(root)
    }
    default: {
      const { path } = filter
      const test = conditionTest(filter, compile)
      return (root) => someValueAt(root, path, test)
    }
  }
}

function conditionTest(condition: Condition, compile: (pattern: string) => Pattern): ValueTest {
  switch (condition.kind) {
    case 'compare':
      return orAnElement(compareTest(condition))
    case 'in':
      return orAnElement(inTest(condition))
    case 'has': {
      const test = equalityTest(condition.value)
      return (value) => Array.isArray(value) && value.some(test)
    }
    case 'regex': {
      const pattern = compile(condition.pattern)
      return orAnElement((value) => typeof value === 'string' && pattern.test(value))
    }
    default:
      return condition satisfies never
  }
}

/** Elements of elements don't count: `1` is in `[1]` and not in `[[1]]`. */
function orAnElement(test: ValueTest): ValueTest {
  return (value) => test(value) || (Array.isArray(value) && value.some(test))
}

function compareTest({ operator, value: operand }: CompareFilter): ValueTest {
  switch (operator) {
    case 'eq':
      return equalityTest(operand)
    case 'gt':
      return (value) => areComparable(value, operand) && compareValues(value, operand) > 0
    case 'gte':
      return (value) => areComparable(value, operand) && compareValues(value, operand) >= 0
    case 'lt':
      return (value) => areComparable(value, operand) && compareValues(value, operand) < 0
    case 'lte':
      return (value) => areComparable(value, operand) && compareValues(value, operand) <= 0
    default:
      return operator satisfies never
  }
}

function equalityTest(operand: JsonValue): ValueTest {
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand
  return (value) => equalValues(value, operand)
}

/** One look into a set per value, however many values the list has. */
function inTest({ values }: InFilter): ValueTest {
  const members = new Set(values.map((value) => equalityKey(value)))
  const ranks = new Set(values.map(rankOf))
  return (value) => ranks.has(rankOf(value)) && members.has(equalityKey(value))
}
