import type { StatementSync } from 'node:sqlite'
import { compileSort } from '../compile/compile-sort.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection, SqlValue } from '../files/connection.ts'
import { placesSql } from '../index/index-search.ts'
import {
  type FetchedPiece,
  type FetchRequest,
  type FindPiece,
  type FindRequest,
  type ReadPlan,
  SORT_WINDOW,
} from '../protocol/requests.ts'
import { bindFilter } from './bind-filter.ts'
import { afterDocument, afterEntry, afterPlace, cursorAt, type PageEnd } from './keyset-cursor.ts'
import { type CountedSearch, chooseOrder, chooseSearch, INDEX_SHARE, type IndexOrder } from './plan-read.ts'
import { documentsInTime, QUICK_DOCUMENTS, requireQuick, TakesLong } from './quick-read.ts'
import { scan } from './scan.ts'
import { PIECE_LENGTH, shaper } from './shaper.ts'

/** Candidates that are put in order at once, rather than met by walking through an index in the order asked for. */
const FEW_CANDIDATES = 2000
/** What looking at a document out of natural order costs, in documents that a scan looks at. */
const WALK_COST = 16
/** The part of what walking may cost at most that is spent to find out whether enough matches. */
const TRIAL_SHARE = 8

/** A read of what comes behind the end of a page, if that is given. */
type FindBehind = Omit<FindRequest, 'after'> & { readonly after?: PageEnd }

/** One that has begun. */
interface TimedFind extends FindBehind {
  /** When it has to give up, in milliseconds of `performance.now()`. */
  readonly deadline: number
}

/** Documents found, by their places in the order in which they are wanted. */
interface Found {
  readonly places: Float64Array
  readonly plan: ReadPlan
}

/**
 * Begins a read: by an index where one helps, else in natural order.
 * @throws TakesLong
 */
export function find(connection: Connection, collection: StoredCollection, request: FindBehind): FindPiece {
  const deadline = performance.now() + request.budgetMs
  connection.functions.bind({ conditions: [], sort: [], deadline })
  const found = foundPlaces(connection, collection, { ...request, deadline })
  if (found === undefined)
    return scan(connection, collection, { ...request, after: request.after?.place ?? 0 })
  const { places, plan } = found
  const { sort, limit, wantsEnd } = request
  const isFull = wantsEnd && places.length === limit
  const end = isFull ? cursorAt(connection, collection, { place: places.at(-1)!, sort }) : undefined
  const piece = fetch(connection, collection, {
    ...request,
    places,
    until: request.isQuick ? deadline : Number.POSITIVE_INFINITY,
  })
  return {
    text: piece.text,
    found: piece.found,
    // What is left is copied, for the whole would travel with a part of it.
    places: places.slice(piece.taken),
    isLast: places.length < SORT_WINDOW,
    ...(end && { end }),
    plan,
  }
}

function foundPlaces(
  connection: Connection,
  collection: StoredCollection,
  request: TimedFind,
): Found | undefined {
  const { filter, sort, isQuick } = request
  const wanted = request.skip + request.limit
  if (sort.length > 0) return sortedPlaces(connection, collection, request)
  const chosen = chooseSearch(connection, collection, { filter, wanted, isQuick })
  return chosen && unsortedPlaces(connection, collection, request, chosen)
}

function unsortedPlaces(
  connection: Connection,
  { table }: StoredCollection,
  request: TimedFind,
  { search, candidates }: CountedSearch,
): Found {
  const plan: ReadPlan = { kind: 'index', index: search.index.name, examined: candidates }
  const behind = afterPlace(search.isExact ? 'place' : 'seq', request.after)
  if (search.isExact) {
    const distinct = search.index.multikey === 0 ? '' : 'DISTINCT '
    const sql = `SELECT ${distinct}place FROM ${search.index.table} WHERE ${search.where}${behind.text} ORDER BY place LIMIT ? OFFSET ?`
    const parameters = [...search.parameters, ...behind.parameters, ...windowOf(request)]
    return { places: placesOf(connection, sql, parameters), plan }
  }
  requireQuick(request, { documents: candidates })
  const filter = bindFilter(connection, request)
  const sql = `SELECT seq FROM ${table} WHERE seq IN (${placesSql(search)}) AND ${documentsInTime(request)} AND ${filter.text}${behind.text} ORDER BY seq LIMIT ? OFFSET ?`
  const parameters = [...search.parameters, ...filter.parameters, ...behind.parameters, ...windowOf(request)]
  return { places: placesOf(connection, sql, parameters), plan }
}

function sortedPlaces(
  connection: Connection,
  collection: StoredCollection,
  request: TimedFind,
): Found | undefined {
  const order = chooseOrder(connection, collection, request)
  if (order?.isExact) return exactPlaces(connection, collection, request, order)
  const { filter, isQuick } = request
  const wanted = Number.MAX_SAFE_INTEGER
  const documents = connection.catalog.documentsOf(collection)
  const chosen = chooseSearch(connection, collection, { filter, wanted, isQuick })
  if (order !== undefined && (chosen === undefined || chosen.candidates > FEW_CANDIDATES)) {
    const otherCost = chosen === undefined ? documents : INDEX_SHARE * chosen.candidates
    const found = walkedPlaces(connection, collection, request, { order, otherCost })
    if (found !== undefined) return found
  }
  return orderedPlaces(connection, collection, request, chosen)
}

/** Entries that stand in the order asked for, each a document that matches. */
function exactPlaces(
  connection: Connection,
  collection: StoredCollection,
  request: TimedFind,
  order: IndexOrder,
): Found {
  const wanted = request.skip + request.limit
  requireQuick(request, { entries: Math.min(wanted, connection.catalog.documentsOf(collection)) })
  const { index, where, orderBy, search } = order
  const behind = afterEntry({ ...order, sort: request.sort }, request.after)
  const sql = `SELECT place FROM ${index.table} WHERE ${behind.text}${where} ORDER BY ${orderBy} LIMIT ? OFFSET ?`
  const parameters = [...behind.parameters, ...(search?.parameters ?? []), ...windowOf(request)]
  const places = placesOf(connection, sql, parameters)
  const plan: ReadPlan = { kind: 'index', index: index.name, examined: places.length + request.skip }
  return { places, plan }
}

/**
 * Looks at documents in the order asked for until enough of them match; undefined as soon as putting all that match in
 * order seems cheaper, by the share that matched so far: where few do, after a small part of what that costs.
 * @param otherCost of putting all that match in order, in documents that a scan looks at
 * @throws TakesLong
 */
function walkedPlaces(
  connection: Connection,
  collection: StoredCollection,
  request: TimedFind,
  { order, otherCost }: { order: IndexOrder; otherCost: number },
): Found | undefined {
  const limit = Math.min(request.limit, SORT_WINDOW)
  const wanted = request.skip + limit
  const most = Math.floor(otherCost / WALK_COST)
  if (wanted > most) return undefined
  const filter = bindFilter(connection, request)
  const { index, where, orderBy, search } = order
  const behind = afterEntry({ ...order, sort: request.sort }, request.after)
  const sql = `SELECT place FROM ${index.table} WHERE ${behind.text}${where} ORDER BY ${orderBy} LIMIT ?`
  const parameters = [...behind.parameters, ...(search?.parameters ?? []), most + 1]
  const test = `SELECT 1 FROM ${collection.table} WHERE seq = ? AND ${filter.text}`
  const places: number[] = []
  let examined = 0
  let skipped = 0
  const isWorthwhile = (): boolean =>
    examined * TRIAL_SHARE <= most || examined * wanted <= most * (skipped + places.length)
  /** @returns whether it came to the end */
  const walk = (entries: Iterable<[number]>, holds: StatementSync): boolean => {
    for (const [place] of entries) {
      if (places.length === limit) return true
      if (request.isQuick && examined === QUICK_DOCUMENTS) throw new TakesLong()
      if (!isWorthwhile()) return false
      examined++
      // Each makes the lists of the filter anew, which can be long.
      connection.functions.checkTime()
      if (holds.get(place, ...filter.parameters) === undefined) continue
      if (skipped < request.skip) skipped++
      else places.push(place)
    }
    return true
  }
  const isDone = connection.withStatement(test, (holds) =>
    connection.withStatement(sql, (entries) =>
      walk(entries.iterate(...parameters) as unknown as Iterable<[number]>, holds),
    ),
  )
  if (!isDone) return undefined
  return { places: Float64Array.from(places), plan: { kind: 'index', index: index.name, examined } }
}

/** All that matches, put in order. */
function orderedPlaces(
  connection: Connection,
  collection: StoredCollection,
  request: TimedFind,
  chosen: CountedSearch | undefined,
): Found {
  const filter = bindFilter(connection, request)
  const documents = filter.usesIdIndex ? 0 : connection.catalog.documentsOf(collection)
  requireQuick(request, { documents: chosen?.candidates ?? documents })
  const within = chosen === undefined ? '' : `seq IN (${placesSql(chosen.search)}) AND `
  const behind = afterDocument(request.sort, request.after)
  const sql = `SELECT seq FROM ${collection.table} WHERE ${within}${documentsInTime(request)} AND ${filter.text}${behind.text} ORDER BY ${compileSort(request.sort)} LIMIT ? OFFSET ?`
  const parameters = [
    ...(chosen?.search.parameters ?? []),
    ...filter.parameters,
    ...behind.parameters,
    ...windowOf(request),
  ]
  const places = placesOf(connection, sql, parameters)
  if (chosen !== undefined)
    return { places, plan: { kind: 'index', index: chosen.search.index.name, examined: chosen.candidates } }
  if (filter.usesIdIndex) return { places, plan: { kind: 'id', examined: places.length } }
  return { places, plan: { kind: 'scan', examined: documents } }
}

function windowOf({ skip, limit }: FindBehind): [limit: number, skip: number] {
  return [Math.min(limit, SORT_WINDOW), skip]
}

function placesOf(connection: Connection, sql: string, parameters: readonly SqlValue[]): Float64Array {
  return connection.withStatement(sql, (statement) => {
    const rows = statement.iterate(...parameters) as unknown as Iterable<[number]>
    return Float64Array.from(rows, ([place]) => place)
  })
}

/**
 * The documents at some places, as many as fit one piece.
 * @param request with the time at which to stop, in milliseconds of `performance.now()`
 */
export function fetch(
  connection: Connection,
  { table }: StoredCollection,
  {
    places,
    projection,
    isQuick = false,
    until = Number.POSITIVE_INFINITY,
  }: Pick<FetchRequest, 'places' | 'projection'> & { readonly isQuick?: boolean; readonly until?: number },
): FetchedPiece {
  const statement = connection.prepare(`SELECT json(doc) FROM ${table} WHERE seq = ?`)
  const shape = shaper(projection)
  let text = ''
  let found = 0
  let taken = 0
  for (const place of places) {
    taken++
    const row = statement.get(place) as unknown as [string] | undefined
    if (row === undefined) continue
    text += (found > 0 ? ',' : '') + shape(row[0])
    found++
    if (text.length >= PIECE_LENGTH) break
    if (isQuick && (taken === QUICK_DOCUMENTS || performance.now() > until)) break
  }
  return { text, found, taken }
}
