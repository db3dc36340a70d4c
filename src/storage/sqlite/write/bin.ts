import { AppError } from '../../../errors.ts'
import type { BinEntry } from '../../collection-store.ts'
import type { StoredCollection, StoredIndex } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { binnedName, stagingName } from '../files/schema.ts'
import type {
  MoveToBin,
  RemoveFromBin,
  RenameCollection,
  RestoreFromBin,
} from '../protocol/upkeep-requests.ts'
import { binEntries } from '../read/bin-entries.ts'
import { isSame, makeIndexLike } from './align-indexes.ts'
import { endAbandoned } from './staging.ts'
import type { WriteContext } from './write-context.ts'

/**
 * One without documents that has the name goes for it, as `makeRoom` says.
 * @throws AppError `collection_not_found`, `collection_exists`, `import_under_way`
 */
export function renameCollection(context: WriteContext, { collection, to, now }: RenameCollection): number {
  const { app, connection, changes } = context
  refuseImports(context, collection, to)
  const found = existing(connection, collection)
  if (to === collection) throw collectionExists(to)
  makeRoom(connection, to, found)
  changes.forget(app, found)
  giveName(connection, found.id, to)
  noteNamed(connection, found.id, now)
  return connection.catalog.documentsOf(found)
}

/**
 * Its number, its table and its indexes stay what they are: the name alone is another one.
 * @throws AppError `collection_not_found`, `import_under_way`
 */
export function moveToBin(
  context: WriteContext,
  { collection: name, reason, by, now }: MoveToBin,
): BinEntry | undefined {
  const { app, connection, changes } = context
  refuseImports(context, name)
  const collection = existing(connection, name)
  if (reason === 'empty' && !hasDocuments(connection, collection)) return undefined
  changes.forget(app, collection)
  giveName(connection, collection.id, binnedName(collection.id))
  connection.run('INSERT INTO bin VALUES (?, ?, ?, ?, ?)', collection.id, name, reason, now, by)
  if (reason === 'empty') makeLike(connection, name, collection)
  return entryOf(connection, collection.id)
}

/**
 * One without documents that has the name by now goes for it, as `makeRoom` says.
 * @returns what it was
 * @throws AppError `collection_not_found`, `collection_exists`, `import_under_way`
 */
export function restoreFromBin(
  context: WriteContext,
  { id, collection: name, now }: RestoreFromBin,
): BinEntry {
  const { connection } = context
  refuseImports(context, name)
  const entry = entryOf(connection, id)
  makeRoom(connection, name, connection.catalog.collectionById(id)!)
  giveName(connection, id, name)
  noteNamed(connection, id, now)
  connection.run('DELETE FROM bin WHERE collection = ?', id)
  return entry
}

/** Leaves it to the sweeper. @throws AppError `collection_not_found` */
export function removeFromBin({ connection }: WriteContext, { id }: RemoveFromBin): BinEntry {
  const entry = entryOf(connection, id)
  giveUp(connection, id)
  return entry
}

/** Leaves to the sweeper what came to the bin before a time, in milliseconds since the Unix epoch. */
export function expireBin(connection: Connection, before: number): void {
  const sql = 'SELECT collection FROM bin WHERE dropped_at <= ?'
  const ids = connection.prepare(sql).all(before) as unknown as [number][]
  for (const [id] of ids) giveUp(connection, id)
}

function giveUp(connection: Connection, id: number): void {
  giveName(connection, id, stagingName(id))
  connection.run('DELETE FROM bin WHERE collection = ?', id)
}

/**
 * Leaves it to the sweeper what has a name that another collection is to get, unless something would be lost by that: it
 * has documents, or indexes that somebody made and the other one lacks.
 * @throws AppError `collection_exists`
 */
function makeRoom(connection: Connection, name: string, coming: StoredCollection): void {
  const { catalog } = connection
  const found = catalog.collection(name)
  if (found === undefined) return
  if (hasDocuments(connection, found)) throw collectionExists(name)
  const kept = madeByHand(catalog.indexesOf(coming))
  const lost = madeByHand(catalog.indexesOf(found)).filter(
    (index) => !kept.some((each) => isSame(each, index)),
  )
  if (lost.length > 0) throw indexesExist(name, lost)
  giveName(connection, found.id, stagingName(found.id))
}

function madeByHand(indexes: readonly StoredIndex[]): readonly StoredIndex[] {
  return indexes.filter(
    ({ isAutomatic, state }) => !isAutomatic && (state === 'ready' || state === 'building'),
  )
}

function giveName(connection: Connection, id: number, name: string): void {
  connection.run('UPDATE collections SET name = ? WHERE id = ?', name, id)
  connection.catalog.forget()
}

/** What statistics know of its name before is not of it. */
function noteNamed(connection: Connection, id: number, now: number): void {
  connection.run('UPDATE collections SET named_at = ? WHERE id = ?', now, id)
}

/** A collection with the same indexes, those that can be used or are being built; shown where the other one was. */
function makeLike(connection: Connection, name: string, other: StoredCollection): void {
  const { catalog } = connection
  const lastRowId = catalog.nextRowId(other) - 1
  connection.run(
    'INSERT INTO collections (name, last_place, named_at) SELECT ?, ?, named_at FROM collections WHERE id = ?',
    ...[name, lastRowId, other.id],
  )
  const made = catalog.makeTable(name)
  for (const index of catalog.indexesOf(other))
    if (index.state === 'ready' || index.state === 'building') makeIndexLike(connection, made, index)
  catalog.forget()
}

function existing({ catalog }: Connection, name: string): StoredCollection {
  const found = catalog.collection(name)
  if (found !== undefined) return found
  throw new AppError('collection_not_found', `there is no collection ${JSON.stringify(name)}`)
}

function hasDocuments(connection: Connection, { table }: StoredCollection): boolean {
  return connection.row(`SELECT 1 FROM ${table} LIMIT 1`) !== undefined
}

function entryOf(connection: Connection, id: number): BinEntry {
  const entry = binEntries(connection).find((each) => each.id === id)
  if (entry !== undefined) return entry
  throw new AppError('collection_not_found', 'the bin has no such collection; list it to see what it has')
}

/** What an import is to be for may neither go nor come meanwhile. */
function refuseImports(context: WriteContext, ...names: readonly string[]): void {
  endAbandoned(context)
  for (const name of names)
    if (context.connection.row('SELECT 1 FROM imports WHERE name = ?', name) !== undefined)
      throw new AppError(
        'import_under_way',
        `an import into ${JSON.stringify(name)} has not ended yet; wait for it, or end it`,
      )
}

function collectionExists(name: string): AppError {
  return new AppError(
    'collection_exists',
    `there is a collection ${JSON.stringify(name)} already; drop or rename it first, or choose another name`,
  )
}

function indexesExist(name: string, indexes: readonly StoredIndex[]): AppError {
  const names = indexes.map((index) => JSON.stringify(index.name)).join(', ')
  return new AppError(
    'collection_exists',
    `there is a collection ${JSON.stringify(name)} already, which has no documents, but indexes that this one lacks: ` +
      `${names}; drop these (as by sheaf index drop), or choose another name`,
  )
}
