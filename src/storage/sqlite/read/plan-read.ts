import type { Filter, SortField } from '../../../query/ast.ts'
import { namesIds } from '../compile/compile-filter.ts'
import { deadlineCheck } from '../compile/deadline-check.ts'
import type { StoredCollection, StoredIndex } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { checkReadDeadline } from '../files/functions.ts'
import { keyColumn } from '../files/schema.ts'
import { ENTRY } from '../index/index-keys.ts'
import { countCandidates, type IndexSearch, isMultikey, searchOf } from '../index/index-search.ts'
import { type Begun, BudgetExceeded, FOREGROUND_ENTRIES, requireForeground } from './foreground-budget.ts'

/** Entries that are always cheap enough to be looked at. */
const FEW_ENTRIES = 1000
/**
 * What meeting an entry, sorting its row id and fetching its document costs, as a share of what looking at a document
 * in natural order does: above a quarter of the collection the latter is cheaper.
 */
export const INDEX_SHARE = 4
/** The same where only the first matches are wanted, and those behind them cost nothing but their entries. */
const ENTRY_SHARE = 5

export interface CountedSearch {
  readonly search: IndexSearch
  /** Entries that it looks at. */
  readonly candidates: number
}

/**
 * The index that narrows a filter best, or undefined where going through the collection is cheaper: what an index
 * finds has to be put back into natural order before the first of it can be answered.
 * @param wanted how many matches are needed
 * @throws BudgetExceeded where the read is of the foreground, and to find that out would take long
 * @throws AppError `deadline_exceeded`
 */
export function chooseSearch(
  connection: Connection,
  collection: StoredCollection,
  { filter, wanted, isForeground, deadline }: Begun<{ filter: Filter; wanted: number }>,
): CountedSearch | undefined {
  if (namesIds(filter)) return undefined
  const searches = readyIndexes(connection, collection).flatMap((index) => searchOf(index, filter) ?? [])
  if (searches.length === 0) return undefined
  const documents = connection.catalog.documentsOf(collection)
  const most = Math.floor(mostEntries(documents, wanted))
  const counted = isForeground ? Math.min(most, FOREGROUND_ENTRIES) : most
  let bound = 1 + counted
  let best: CountedSearch | undefined
  for (const search of searches) {
    requireForeground({ isForeground }, { seeks: search.seeks })
    checkReadDeadline(deadline)
    const candidates = countCandidates(connection, search, bound)
    if (candidates >= bound) continue
    bound = candidates
    best = { search, candidates }
    if (bound === 0) break
  }
  if (best === undefined && counted < most) throw new BudgetExceeded()
  return best
}

/** An index that alone says which documents match, so that they can be counted in it. */
export function chooseExact(
  connection: Connection,
  collection: StoredCollection,
  filter: Filter,
): IndexSearch | undefined {
  if (namesIds(filter)) return undefined
  return readyIndexes(connection, collection)
    .flatMap((index) => searchOf(index, filter) ?? [])
    .find(({ isExact }) => isExact)
}

/** If `n` of `N` documents match, the first `w` matches lie among the first `w * N / n`. */
function mostEntries(documents: number, wanted: number): number {
  const share = documents / INDEX_SHARE
  return Math.max(FEW_ENTRIES, Math.min(share, Math.sqrt(ENTRY_SHARE * wanted * documents)))
}

function readyIndexes(connection: Connection, collection: StoredCollection): StoredIndex[] {
  return connection.catalog.indexesOf(collection).filter(({ state }) => state === 'ready')
}

/** An index whose entries, or those within a search's bounds, stand in the order of a sort. */
export interface IndexOrder {
  readonly index: StoredIndex
  readonly search: IndexSearch | undefined
  /** Whether the entries that meet `where` are all that matches: one a document, none to be looked at. */
  readonly isExact: boolean
  readonly where: string
  /** The index's field that the sort begins with. */
  readonly firstField: number
  readonly orderBy: string
}

/** The index that gives a sort's order at the least cost; one that also narrows the filter is best. */
export function chooseOrder(
  connection: Connection,
  collection: StoredCollection,
  { filter, sort }: { filter: Filter; sort: readonly SortField[] },
): IndexOrder | undefined {
  const orders = readyIndexes(connection, collection).flatMap((index) => orderOf(index, filter, sort) ?? [])
  const worth = ({ search, isExact }: IndexOrder): number =>
    (isExact ? 2 : 0) + (search === undefined ? 0 : 1)
  return orders.reduce<IndexOrder | undefined>(
    (best, order) => (best === undefined || worth(order) > worth(best) ? order : best),
    undefined,
  )
}

function orderOf(index: StoredIndex, filter: Filter, sort: readonly SortField[]): IndexOrder | undefined {
  const search = searchOf(index, filter)
  const isWithout = filter.kind === 'and' && filter.filters.length === 0
  if (search !== undefined && !index.hasOverflow)
    for (let first = search.constantFields; first >= 0; first--) {
      const sense = senseOf(index, first, sort)
      if (sense === undefined || !isSingleFrom(index, first)) continue
      return {
        index,
        search,
        isExact: search.isExact,
        where: search.where,
        firstField: first,
        orderBy: orderBy(first, sort),
      }
    }
  const sense = senseOf(index, 0, sort)
  if (sense === undefined) return undefined
  const where = `${deadlineCheck('place')} AND flags & ${ENTRY[sense]} <> 0`
  return { index, search: undefined, isExact: isWithout, where, firstField: 0, orderBy: orderBy(0, sort) }
}

/** Whether a sort's fields are an index's fields from one on, in its own order or in the opposite one. */
function senseOf(
  { fields }: StoredIndex,
  first: number,
  sort: readonly SortField[],
): 'forward' | 'reverse' | undefined {
  if (first + sort.length > fields.length) return undefined
  const isField = sort.every(({ path }, at) => path.join('.') === fields[first + at]!.path.join('.'))
  if (!isField) return undefined
  const same = sort.filter(({ direction }, at) => direction === fields[first + at]!.direction).length
  if (same === sort.length) return 'forward'
  return same === 0 ? 'reverse' : undefined
}

/** Whether each document has one key for every field from one on, so that it comes once among equal first keys. */
function isSingleFrom(index: StoredIndex, first: number): boolean {
  return index.fields.every((_, field) => field < first || !isMultikey(index, field))
}

/** Ties are broken by natural order. */
function orderBy(first: number, sort: readonly SortField[]): string {
  const terms = sort.map(({ direction }, at) => `${keyColumn(first + at)}${direction === 1 ? '' : ' DESC'}`)
  return [...terms, 'place'].join(', ')
}
