import type { Condition, Filter, SortField } from '../query/ast.ts'
import { literalParts } from '../query/regex.ts'
import type { IndexCandidates } from '../storage/read-ledger.ts'
import { type ConditionKind, candidatesFor, type FieldCondition, NO_CANDIDATES } from './candidate-indexes.ts'

/** A query without its values. */
export interface QueryShape {
  /** Canonical: two queries have the same text if they differ in values and in the order of conditions alone. */
  readonly text: string
  /** The indexes that could serve all queries of the shape. */
  readonly candidates: IndexCandidates
}

/** Queries with more conditions and sort fields are taken for one shape, which no index is made for. */
const SHAPE_PARTS = 16
/** The same for names of fields: characters of a shape's text. */
const SHAPE_LENGTH = 400
const SHAPE_TOO_LONG: QueryShape = Object.freeze({ text: '(a long query)', candidates: NO_CANDIDATES })

/** The shape of a query: names of fields, kinds of conditions, the sort; never a value. */
export function shapeOf(filter: Filter, sort: readonly SortField[]): QueryShape {
  const conditions = conditionsIn(filter, SHAPE_PARTS + 1)
  if (conditions.length + sort.length > SHAPE_PARTS) return SHAPE_TOO_LONG
  const parts = [...new Set(conditions.map(({ path, kind }) => `${nameOf(path)} ${kind}`))].sort()
  const order = sort.map(({ path, direction }) => nameOf(path) + (direction === 1 ? '' : ':-1'))
  const text = [parts.join(', '), order.length === 0 ? '' : `sort ${order.join(', ')}`]
    .filter((part) => part !== '')
    .join('; ')
  if (text.length > SHAPE_LENGTH) return SHAPE_TOO_LONG
  return { text: text === '' ? '(every document)' : text, candidates: candidatesFor(conditions, sort) }
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

/** A field's name; one that could be taken for something else in a shape is quoted. */
function nameOf(path: readonly string[]): string {
  const name = path.join('.')
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name)
}
