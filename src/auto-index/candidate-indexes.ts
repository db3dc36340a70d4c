import type { SortField } from '../query/ast.ts'
import { indexName } from '../query/index-fields.ts'
import type { ConditionKind, FieldCondition, QueryFingerprint } from '../query-stats/query-fingerprint.ts'
import type { FingerprintStats, IndexCandidates } from '../query-stats/stats-snapshot.ts'

/** Fields of an index that the service makes. */
const AUTOMATIC_FIELDS = 4

/** Kinds of conditions that name values. */
const POINTS: ReadonlySet<ConditionKind> = new Set(['eq', 'has', 'in'])

const NO_CANDIDATES: IndexCandidates = Object.freeze({ byConditions: [], bySort: undefined })

/** The indexes that could serve a query; which ones, and in what order, is in docs/reference/automatic-indexes.md. */
export function candidatesFor({ conditions, sort }: QueryFingerprint): IndexCandidates {
  // By its `_id` a document is found anyway.
  if (conditions.some(({ path, kind }) => isId(path) && POINTS.has(kind))) return NO_CANDIDATES
  const equal = fieldsWith(conditions, ['eq', 'has'])
  const inOrder = distinct([...equal, ...sort])
  const isSortable = sort.length > 0 && inOrder.length <= AUTOMATIC_FIELDS && !isId(inOrder[0]!.path)
  const bySort = isSortable ? inOrder : undefined
  const points = distinct([...equal, ...fieldsWith(conditions, ['in'])]).slice(0, AUTOMATIC_FIELDS)
  const bounded = fieldsWith(conditions, ['range', 'prefix'])
    .map((field) => distinct([...points, field]))
    .filter(({ length }) => length > points.length && length <= AUTOMATIC_FIELDS)
  const narrowing = bounded.length > 0 || points.length === 0 ? bounded : [points]
  const byConditions = narrowing.filter((fields) => bySort === undefined || !hasFirst(bySort, fields))
  return { byConditions, bySort }
}

export function hasCandidates({ byConditions, bySort }: IndexCandidates): boolean {
  return byConditions.length > 0 || bySort !== undefined
}

/**
 * The index to make for a fingerprint next, or undefined where all were tried. Where most answers were full, the first
 * in the order of the sort are enough; else all that matches has to be found.
 */
export function nextCandidate(stats: FingerprintStats): readonly SortField[] | undefined {
  return candidatesInTurn(stats).find((fields) => !stats.account!.tried.includes(indexName(fields)))
}

/** All indexes that could serve a fingerprint, those that were tried among them, in the order of their turns. */
export function candidatesInTurn({
  account,
  fullCount,
  count,
}: FingerprintStats): readonly (readonly SortField[])[] {
  if (account === undefined) return []
  const { byConditions, bySort } = account.candidates
  const sorts = bySort === undefined ? [] : [bySort]
  return fullCount > count / 2 ? [...sorts, ...byConditions] : [...byConditions, ...sorts]
}

/** Whether an index has the wanted fields first, all in the same direction or all in the opposite one. */
export function beginsWith(fields: readonly SortField[], wanted: readonly SortField[]): boolean {
  const same = wanted.filter(({ direction }, at) => direction === fields[at]?.direction).length
  return hasFirst(fields, wanted) && (same === 0 || same === wanted.length)
}

function hasFirst(fields: readonly SortField[], wanted: readonly SortField[]): boolean {
  return wanted.every(({ path }, at) => path.join('.') === fields[at]?.path.join('.'))
}

/** The fields with conditions of some kinds, in the order of their names. */
function fieldsWith(conditions: readonly FieldCondition[], kinds: readonly ConditionKind[]): SortField[] {
  const found = conditions
    .filter(({ path, kind }) => kinds.includes(kind) && !isId(path))
    .map(({ path }) => ({ path, direction: 1 as const }))
  return distinct(found).sort((a, b) => (a.path.join('.') < b.path.join('.') ? -1 : 1))
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
