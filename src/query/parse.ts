import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { type Path, parsePath } from '../json/path.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import { type CompareOperator, type Condition, EVERY_DOCUMENT, type Filter } from './ast.ts'
import { type Operator, operatorOf } from './operators.ts'
import { MAX_PATTERN_COST, patternCost } from './regex.ts'

/**
 * Takes a query apart into its one canonical form: `and` inside of `and` is flattened, and conditions stand in the
 * order in which they are written.
 * @throws AppError `invalid_query`, `unknown_operator`, `invalid_pattern`, `too_many_conditions`,
 * `too_many_values`, `nesting_too_deep`
 */
export function parseFilter(value: JsonValue, limits: Limits): Filter {
  return new FilterParser(limits).query(value, 1)
}

/** What one query may use up is counted over all of its parts. */
class FilterParser {
  private readonly limits: Limits
  private conditions = 0
  private patternCost = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  query(value: JsonValue, level: number): Filter {
    if (!isJsonObject(value))
      throw invalid('a query should be an object such as {"name":"Ada"}; {} finds every document')
    this.checkLevel(level)
    return all(
      [...value].map(([key, operand]) => {
        if (key === '$and') return this.and(operand, level + 1)
        if (key.startsWith('$')) throw withoutField(operatorOf(key))
        return this.field(parsePath(key, this.limits.nestingLevels), operand, level + 1)
      }),
    )
  }

  private and(value: JsonValue, level: number): Filter {
    if (!isJsonArray(value) || value.length === 0)
      throw invalid('$and needs an array of at least one query, such as {"$and": [{"a":1}, {"b":2}]}')
    this.checkLevel(level)
    return all(value.map((part) => this.query(part, level + 1)))
  }

  private field(path: Path, value: JsonValue, level: number): Filter {
    if (!isOperatorObject(value)) return this.condition({ kind: 'compare', operator: 'eq', path, value })
    this.checkLevel(level)
    return all([...value].map(([key, operand]) => this.operator({ path, key, operand }, level + 1)))
  }

  private operator({ path, key, operand }: FieldOperator, level: number): Filter {
    const operator = operatorOf(key)
    switch (operator) {
      case '$eq':
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte':
        return this.condition({
          kind: 'compare',
          operator: COMPARE_OPERATORS[operator],
          path,
          value: operand,
        })
      case '$not':
        return { kind: 'not', filter: this.field(path, operand, level) }
      case '$in':
        return this.in(path, operand)
      case '$has':
        return this.condition({ kind: 'has', path, value: operand })
      case '$nhas':
        return { kind: 'not', filter: this.condition({ kind: 'has', path, value: operand }) }
      case '$regex':
        return this.regex(path, operand)
      case '$and':
        throw invalid('$and joins whole queries: write {"$and": [{"field": …}, …]}, not $and under a field')
      default:
        return operator satisfies never
    }
  }

  private in(path: Path, values: JsonValue): Filter {
    if (!isJsonArray(values)) throw invalid('$in needs an array of values, such as {"$in": [1, 2]}')
    const { inValues } = this.limits
    if (values.length > inValues)
      throw new AppError('too_many_values', `$in takes at most ${inValues} values, not ${values.length}`)
    if (values.some(isOperatorObject))
      throw invalid('$in takes values; operators such as $gt have no place in it')
    return this.condition({ kind: 'in', path, values })
  }

  private regex(path: Path, pattern: JsonValue): Filter {
    if (typeof pattern !== 'string')
      throw new AppError('invalid_pattern', '$regex needs a pattern as text, such as {"$regex": "^a.*z$"}')
    this.patternCost += patternCost(pattern)
    if (this.patternCost > MAX_PATTERN_COST)
      throw new AppError('invalid_pattern', 'the patterns of this query are too large together; send fewer')
    return this.condition({ kind: 'regex', path, pattern })
  }

  private condition(condition: Condition): Condition {
    const { queryConditions } = this.limits
    if (++this.conditions > queryConditions)
      throw new AppError('too_many_conditions', `a query may have at most ${queryConditions} conditions`)
    return condition
  }

  private checkLevel(level: number): void {
    const { nestingLevels } = this.limits
    if (level > nestingLevels)
      throw new AppError('nesting_too_deep', `a query may be nested ${nestingLevels} levels deep, no deeper`)
  }
}

interface FieldOperator {
  readonly path: Path
  readonly key: string
  readonly operand: JsonValue
}

const COMPARE_OPERATORS = {
  $eq: 'eq',
  $gt: 'gt',
  $gte: 'gte',
  $lt: 'lt',
  $lte: 'lte',
} as const satisfies Record<string, CompareOperator>

/** Whether an object says how to compare rather than being what a field is compared with. */
function isOperatorObject(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false
  const keys = [...value.keys()]
  const operators = keys.filter((key) => key.startsWith('$'))
  if (operators.length === 0) return false
  if (operators.length < keys.length)
    throw invalid(
      'operators and plain keys are mixed in one object; to find an object with these keys, use $eq',
    )
  return true
}

function withoutField(operator: Operator): AppError {
  return invalid(`${operator} needs a field: write {"field": {"${operator}": …}}`)
}

/** All of some filters, without an `and` that has nothing or just one thing to join. */
function all(filters: readonly Filter[]): Filter {
  const parts = filters.flatMap((filter) => (filter.kind === 'and' ? filter.filters : [filter]))
  if (parts.length === 0) return EVERY_DOCUMENT
  return parts.length === 1 ? parts[0]! : { kind: 'and', filters: parts }
}

function invalid(message: string): AppError {
  return new AppError('invalid_query', message)
}
