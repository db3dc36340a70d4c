import { RANK, rankOf } from '../../../json/compare.ts'
import type { Path } from '../../../json/path.ts'
import { stringify } from '../../../json/stringify.ts'
import type { ExactNumber, JsonValue } from '../../../json/value.ts'
import { quantity } from '../../../json/value.ts'
import type { CompareFilter, Condition, Filter, InFilter, RegexFilter } from '../../../query/ast.ts'
import { literalParts } from '../../../query/regex.ts'
import type { SqlParameter } from '../../sql.ts'
import type { CompiledFilter } from '../protocol/compiled-filter.ts'
import { compileIdCondition } from './compile-id-condition.ts'
import { DEADLINE } from './deadline-check.ts'
import { beginnings, memberText, PLAIN_CODE_PARTS, typeAt, valueAt } from './json-sql.ts'

/** Compiles a filter; the meaning is that of `query/match.ts`, which the property tests hold it to. */
export function compileFilter(filter: Filter): CompiledFilter {
  const compiler = new FilterCompiler()
  const text = compiler.filter(filter)
  return {
    text,
    parameters: compiler.parameters,
    conditions: compiler.conditions,
    usesIdIndex: namesIds(filter),
    matchesAll: isEveryDocument(filter),
  }
}

export function isEveryDocument(filter: Filter): boolean {
  return filter.kind === 'and' && filter.filters.length === 0
}

/** Whether the index on ids finds the few documents that can match. */
export function namesIds(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.filters.some(namesIds)
  if (filter.kind !== 'in' && !(filter.kind === 'compare' && filter.operator === 'eq')) return false
  return isIdPath(filter.path)
}

function isIdPath(path: Path): boolean {
  return path.length === 1 && path[0] === '_id'
}

/** What a document gives for each JSON type that may stand at the path; a type left out gives 0. */
type Branches = readonly (readonly [types: readonly string[], sql: string])[]

class FilterCompiler {
  readonly parameters: SqlParameter[] = []
  readonly conditions: Condition[] = []

  filter(filter: Filter): string {
    switch (filter.kind) {
      case 'and':
        return this.all(filter.filters)
      case 'not':
        return `NOT ${this.filter(filter.filter)}`
      default:
        return isIdPath(filter.path) ? this.idCondition(filter) : this.condition(filter)
    }
  }

  /** A balanced tree: SQLite refuses expressions that are more than 1,000 levels deep. */
  private all(filters: readonly Filter[]): string {
    if (filters.length === 0) return '1'
    if (filters.length === 1) return this.filter(filters[0]!)
    const middle = filters.length >> 1
    return `(${this.all(filters.slice(0, middle))} AND ${this.all(filters.slice(middle))})`
  }

  private idCondition(condition: Condition): string {
    const sql = compileIdCondition(condition, this.conditionNumber(condition))
    this.parameters.push(...sql.parameters)
    return sql.text
  }

  private condition(condition: Condition): string {
    if (condition.path.length > PLAIN_CODE_PARTS) return this.holds(condition)
    switch (condition.kind) {
      case 'compare':
        return this.compare(condition)
      case 'in':
        return this.in(condition)
      case 'has':
        return this.byType(condition, [])
      case 'regex':
        return this.byType(condition, [[['text'], this.regexOn(condition)]])
      default:
        return condition satisfies never
    }
  }

  private compare(condition: CompareFilter): string {
    const { operator, path, value } = condition
    const sign = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }[operator]
    switch (rankOf(value)) {
      case RANK.null: {
        const holds = operator === 'gt' || operator === 'lt' ? '0' : '1'
        return holds === '0' ? '0' : this.byType(condition, [[['null'], '1']], '1')
      }
      case RANK.number:
        return this.compareNumber(condition, { sign, operand: value as number | ExactNumber })
      case RANK.text:
        return this.byType(condition, [[['text'], `${valueAt(path)} ${sign} ${this.bind(value as string)}`]])
      case RANK.object:
        return this.byType(condition, [[['object'], this.holds(condition)]])
      case RANK.array:
        return this.byType(condition, [])
      default:
        return this.byType(condition, [[booleansFor(operator, value as boolean), '1']])
    }
  }

  private compareNumber(
    condition: CompareFilter,
    { sign, operand }: { sign: string; operand: number | ExactNumber },
  ): string {
    const { operator, path } = condition
    const holds = (): string => `${valueAt(path)} ${sign} ${this.number(operand)}`
    if (path.length > 1 || (operator !== 'gt' && operator !== 'gte'))
      return this.byType(condition, [
        [['integer'], holds()],
        [['real'], holds()],
      ])
    // To SQLite the text of an array is greater than every number, so that the value can be looked at first; its
    // type, which is another look-up, matters for the few documents that are left.
    return `(${holds()} IS TRUE AND ${this.byType(condition, [[['integer', 'real'], '1']])})`
  }

  private in(condition: InFilter): string {
    const { path, values } = condition
    const ranks = new Set(values.map(rankOf))
    const scalars = values.filter((value) => rankOf(value) === RANK.number || rankOf(value) === RANK.text)
    const list = (): string =>
      `${valueAt(path)} IN (SELECT value FROM json_each(${this.bind(stringify(scalars))}))`
    const branches: [string[], string][] = []
    if (ranks.has(RANK.number)) branches.push([['integer'], list()], [['real'], list()])
    if (ranks.has(RANK.text)) branches.push([['text'], list()])
    if (ranks.has(RANK.true)) branches.push([['true'], '1'])
    if (ranks.has(RANK.false)) branches.push([['false'], '1'])
    if (ranks.has(RANK.null)) branches.push([['null'], '1'])
    if (ranks.has(RANK.object)) branches.push([['object'], this.holds(condition)])
    if (values.length === 0) return '0'
    return this.byType(condition, branches, ranks.has(RANK.null) ? '1' : '0')
  }

  private regexOn(condition: RegexFilter): string {
    const value = valueAt(condition.path)
    const literal = literalParts(condition.pattern)
    if (literal?.exact) {
      if (literal.kind === 'contains') return `instr(${value}, ${this.bind(literal.literal)}) > 0`
      return `substr(${value}, 1, ${[...literal.literal].length}) = ${this.bind(literal.literal)}`
    }
    return `sheaf_regex(${value}, ${this.conditionNumber(condition)}, ${DEADLINE})`
  }

  /**
   * A condition on one path: plain SQL where no array lies along it, the plain code of `match.ts` where one does.
   * Only where nothing stands at the whole path can an array lie before its end.
   */
  private byType(condition: Condition, branches: Branches, missing: '0' | '1' = '0'): string {
    const { path } = condition
    const cases = branches
      .flatMap(([types, sql]) => types.map((type) => ` WHEN '${type}' THEN ${sql}`))
      .join('')
    const before = beginnings(path)
    const nothing =
      before.length === 0
        ? missing
        : `CASE 'array'${before.map((part) => ` WHEN ${typeAt(part)} THEN ${this.holds(condition)}`).join('')} ELSE ${missing} END`
    const array = ` WHEN 'array' THEN ${this.holds(condition)}`
    if (missing === '0') return `CASE ${typeAt(path)}${cases}${array} ELSE ${nothing} END`
    return `CASE coalesce(${typeAt(path)}, '')${cases}${array} WHEN '' THEN ${nothing} ELSE 0 END`
  }

  private holds(condition: Condition): string {
    return `sheaf_matches(${memberText(condition.path)}, ${this.conditionNumber(condition)}, ${DEADLINE})`
  }

  private conditionNumber(condition: Condition): number {
    const last = this.conditions.length - 1
    if (this.conditions[last] === condition) return last
    return this.conditions.push(condition) - 1
  }

  /** A number that has more digits than a double is read by SQLite on both sides of the comparison. */
  private number(value: number | ExactNumber): string {
    const amount = quantity(value)
    if (typeof value === 'number' || typeof amount === 'bigint' || value.source.length < 18)
      return this.bind(amount)
    return `json_extract(${this.bind(value.source)}, '$')`
  }

  private bind(parameter: SqlParameter): string {
    this.parameters.push(parameter)
    return '?'
  }
}

/** The booleans that stand on the right side of another one; `false` is the lesser. */
function booleansFor(operator: CompareFilter['operator'], value: JsonValue): string[] {
  const holds = (boolean: boolean): boolean => {
    const difference = Number(boolean) - Number(value)
    if (operator === 'eq') return difference === 0
    if (operator === 'gt' || operator === 'lt') return operator === 'gt' ? difference > 0 : difference < 0
    return operator === 'gte' ? difference >= 0 : difference <= 0
  }
  return [false, true].filter(holds).map(String)
}
