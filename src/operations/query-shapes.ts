import type { Condition, Filter, SortField } from '../query/ast.ts'
import { literalParts } from '../query/regex.ts'

/**
 * What is asked of a field: one value, one of several, an element, a range, the beginning of a text, or something
 * that no index answers.
 */
type ConditionKind = 'eq' | 'in' | 'has' | 'range' | 'prefix' | 'other'

/** A query without its values. */
export interface QueryShape {
  /** Canonical: two queries have the same text if they differ in values and in the order of conditions alone. */
  readonly text: string
  /** The fields of the index that serves all queries of the shape; undefined where none can. */
  readonly index: readonly SortField[] | undefined
}

interface FieldCondition {
  readonly path: readonly string[]
  readonly kind: ConditionKind
}

/** Queries with more conditions and sort fields are taken for one shape, which no index is made for. */
const SHAPE_PARTS = 16
/** The same for names of fields: characters of a shape's text. */
const SHAPE_LENGTH = 400
const SHAPE_TOO_LONG: QueryShape = Object.freeze({ text: '(a long query)', index: undefined })
/** Fields of an index that the service makes. */
const AUTOMATIC_FIELDS = 4

/** Kinds of conditions that name values. */
const POINTS: ReadonlySet<ConditionKind> = new Set(['eq', 'has', 'in'])

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
  return { text: text === '' ? '(every document)' : text, index: indexFor(conditions, sort) }
}

/**
 * The index that serves a query: first the fields that are compared with one value, then the sort's, or where there
 * is no sort those with several values and one with a range. A sort after a field with several values would not be
 * in order, so that the sort's fields come first there.
 */
function indexFor(
  conditions: readonly FieldCondition[],
  sort: readonly SortField[],
): readonly SortField[] | undefined {
  const usable = conditions.filter(({ path, kind }) => kind !== 'other' && !isId(path))
  // By its `_id` a document is found anyway.
  if (conditions.some(({ path, kind }) => isId(path) && POINTS.has(kind))) return undefined
  const ofKind = (kinds: readonly ConditionKind[]): SortField[] =>
    distinct(
      usable
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ path }) => ({ path, direction: 1 as const }))
        .sort((a, b) => (nameOf(a.path) < nameOf(b.path) ? -1 : 1)),
    )
  const single = ofKind(['eq', 'has'])
  const rest = sort.length > 0 ? sort : [...ofKind(['in']), ...ofKind(['range', 'prefix']).slice(0, 1)]
  const fields = distinct([...single, ...rest])
  if (fields.length === 0 || isId(fields[0]!.path)) return undefined
  if (fields.length <= AUTOMATIC_FIELDS) return fields
  // What comes after the first fields narrows little; but a sort needs all of its own.
  return sort.length > 0 ? undefined : fields.slice(0, AUTOMATIC_FIELDS)
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

function distinct(fields: readonly SortField[]): SortField[] {
  const seen = new Set<string>()
  return fields.filter(({ path }) => {
    const name = path.join('.')
    return !seen.has(name) && seen.add(name)
  })
}

function isId(path: readonly string[]): boolean {
  return path.length === 1 && path[0] === '_id'
}

/** A field's name; one that could be taken for something else in a shape is quoted. */
function nameOf(path: readonly string[]): string {
  const name = path.join('.')
  return /^[\w.-]+$/.test(name) ? name : JSON.stringify(name)
}
