import type { Condition, Filter, SortField } from '../query/ast.ts'
import { literalParts } from '../query/regex.ts'

/**
 * What is asked of a field: one value, one of several, an element, a range, the beginning of a text, or something
 * that no index answers.
 */
export type ConditionKind = 'eq' | 'in' | 'has' | 'range' | 'prefix' | 'other'

export interface FieldCondition {
  readonly path: readonly string[]
  readonly kind: ConditionKind
}

/** A query without its values. */
export interface QueryFingerprint {
  /** Canonical: two queries have the same text if they differ in values and in the order of conditions alone. */
  readonly text: string
  readonly conditions: readonly FieldCondition[]
  readonly sort: readonly SortField[]
}

/** Queries with more conditions and sort fields have one fingerprint, which no index is made for. */
const PARTS = 16
/** The same for names of fields: characters of a fingerprint's text. */
const LENGTH = 400
const TOO_LONG: QueryFingerprint = Object.freeze({ text: '(a long query)', conditions: [], sort: [] })

/** The fingerprint of a query: names of fields, kinds of conditions, the sort; never a value. */
export function fingerprintOf(filter: Filter, sort: readonly SortField[]): QueryFingerprint {
  const conditions = conditionsIn(filter, PARTS + 1)
  if (conditions.length + sort.length > PARTS) return TOO_LONG
  const parts = [...new Set(conditions.map(({ path, kind }) => `${nameOf(path)} ${kind}`))].sort()
  const order = sort.map(({ path, direction }) => nameOf(path) + (direction === 1 ? '' : ':-1'))
  const text = [parts.join(', '), order.length === 0 ? '' : `sort ${order.join(', ')}`]
    .filter((part) => part !== '')
    .join('; ')
  if (text.length > LENGTH) return TOO_LONG
  return { text: text === '' ? '(every document)' : text, conditions, sort }
}

function conditionsIn(filter: Filter, most: number): FieldCondition[] {
  if (most <= 0) return []
  if (filter.kind === 'not')
    return conditionsIn(filter.filter, most).map(({ path }) => ({ path, kind: 'other' as const }))
  if (filter.kind !== 'and') return [{ path: filter.path, kind: kindOf(filter) }]
  const found: FieldCondition[] = []
  for (const part of filter.filters) {
    if (found.length >= most) break
    found.push(...conditionsIn(part, most - found.length))
  }
  return found
}

function kindOf(condition: Condition): ConditionKind {
  switch (condition.kind) {
    case 'compare':
      return condition.operator === 'eq' ? 'eq' : 'range'
    case 'in':
    case 'has':
      return condition.kind
    case 'regex':
      return literalParts(condition.pattern)?.kind === 'prefix' ? 'prefix' : 'other'
    default:
      return condition satisfies never
  }
}

/** A field's name; one that could be taken for something else in a fingerprint is quoted. */
function nameOf(path: readonly string[]): string {
  const name = path.join('.')
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name)
}
