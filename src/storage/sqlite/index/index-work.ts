import { AppError } from '../../../errors.ts'
import { storedDocument } from '../../../json/stored.ts'
import { stringify } from '../../../json/stringify.ts'
import type { JsonObject } from '../../../json/value.ts'
import type { SortField } from '../../../query/ast.ts'
import type { IndexProblem } from '../../index-store.ts'
import type { IndexState, StoredCollection, StoredIndex } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { indexTable, isStaging, keyColumn } from '../files/schema.ts'
import { type DocumentEntries, entriesOf } from './index-keys.ts'
import { addEntries, isTaking, ownersOf } from './index-maintenance.ts'

/** Indexes of one collection, those that are being emptied apart. */
const COLLECTION_INDEXES = 64
/** Entries that are taken out at a time, between looks at the clock. */
const STEP_ROWS = 100
/** Documents that a refusal names, and characters of what it quotes. */
const EXAMPLES = 5
const EXAMPLE_LENGTH = 100

export interface NewIndex {
  readonly collection: string
  readonly name: string
  readonly fields: readonly SortField[]
  readonly isUnique: boolean
  readonly isAutomatic: boolean
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * Registers an index, which `workOnIndexes` then fills. In a transaction of its own. The same index that is still being
 * built, as after a kill, is gone on with, and one that the service made becomes what is asked for by hand: as it is, or
 * made anew where it has to be unique.
 * @throws AppError `index_exists`, `too_many_indexes`; for an automatic one `index_not_found` where there is no
 * collection
 */
export function registerIndex(connection: Connection, index: NewIndex): void {
  inTransaction(connection, () => {
    const { catalog } = connection
    // Nobody asked for an automatic one, so that it must not bring back a collection that was dropped.
    if (index.isAutomatic && catalog.collection(index.collection) === undefined)
      throw new AppError('index_not_found', 'the collection of the index was dropped')
    const collection = catalog.collectionToWrite(index.collection)
    const others = catalog.indexesOf(collection)
    const same = others.find(({ name }) => name === index.name)
    if (same !== undefined && isTakenOver(same, index)) {
      // What was asked for by hand is not the service's to drop.
      if (!index.isAutomatic) connection.run('UPDATE indexes SET is_automatic = 0 WHERE id = ?', same.id)
      return
    }
    if (same !== undefined && isInTheWay(same, index)) retireIndex(connection, same)
    else if (same !== undefined)
      throw new AppError(
        'index_exists',
        `there is an index ${JSON.stringify(index.name)} already; drop it first to make it anew`,
      )
    const counted = others.filter((each) => each !== same && each.state !== 'dropping')
    if (counted.length >= COLLECTION_INDEXES)
      throw new AppError(
        'too_many_indexes',
        `a collection may have at most ${COLLECTION_INDEXES} indexes; drop one that is not used`,
      )
    insertIndex(connection, collection, index)
  })
}

/** Whether an index is what is asked for, or will be: one that is being built, or that nobody has asked for by hand. */
function isTakenOver({ state, isAutomatic, fields, isUnique }: StoredIndex, asked: NewIndex): boolean {
  const isSame = isUnique === asked.isUnique && JSON.stringify(fields) === JSON.stringify(asked.fields)
  return isSame && (state === 'building' || (state === 'ready' && isAutomatic && !asked.isAutomatic))
}

/**
 * Whether an index gives its name to the one that is asked for: what is left of one that failed, or one that the service
 * made where a unique one is asked for by hand.
 */
function isInTheWay({ state, isAutomatic }: StoredIndex, asked: NewIndex): boolean {
  return state === 'failed' || (isAutomatic && asked.isUnique && !asked.isAutomatic)
}

function insertIndex(connection: Connection, collection: StoredCollection, index: NewIndex): void {
  const [id] = connection.row<[number]>(
    'INSERT INTO indexes (collection, name, fields, is_unique, is_automatic, state, created_at) ' +
      "VALUES (?, ?, ?, ?, ?, 'building', ?) RETURNING id",
    collection.id,
    index.name,
    JSON.stringify(index.fields),
    Number(index.isUnique),
    Number(index.isAutomatic),
    index.now,
  )!
  connection.execute(indexTable(`i${id}`, index.fields))
}

export interface GivenUpIndex {
  readonly collection: string
  readonly name: string
  /** Whether one that was asked for by hand is let alone, as if it were not there. */
  readonly onlyAutomatic?: boolean
}

/**
 * Gives an index up; it is read no more from here on, and `workOnIndexes` empties it by and by.
 * @throws AppError `index_not_found`
 */
export function dropIndex(
  connection: Connection,
  { collection, name, onlyAutomatic = false }: GivenUpIndex,
): void {
  inTransaction(connection, () => {
    const stored = connection.catalog.collection(collection)
    const index = stored && connection.catalog.indexesOf(stored).find((each) => each.name === name)
    if (index === undefined || index.state === 'dropping' || (onlyAutomatic && !index.isAutomatic))
      throw new AppError('index_not_found', `there is no index ${JSON.stringify(name)}`)
    retireIndex(connection, index)
  })
}

/** Gives an index up, and frees its name. No field's name has a NUL, so no name of an index does. */
export function retireIndex(connection: Connection, { id }: StoredIndex): void {
  connection.run("UPDATE indexes SET state = 'dropping', name = char(0) || id WHERE id = ?", id)
}

/**
 * Works on the indexes of one app that are not as they should be, for about this long and for one document at least,
 * in a transaction of its own.
 * Whoever is killed in between goes on where the last transaction ended.
 * @returns whether there is more to do
 */
export function workOnIndexes(connection: Connection, sliceMs: number): boolean {
  const until = performance.now() + sliceMs
  return inTransaction(connection, () => {
    const next = connection.row<[string, number]>(
      'SELECT c.name, i.id FROM indexes i JOIN collections c ON c.id = i.collection ' +
        `WHERE i.state IN ('building', 'dropping') AND NOT ${isStaging('c.name')} ORDER BY i.id LIMIT 1`,
    )
    if (next === undefined) return false
    const collection = connection.catalog.collection(next[0])!
    const index = connection.catalog.indexesOf(collection).find(({ id }) => id === next[1])!
    if (index.state === 'building') buildIndex(connection, collection, index, until)
    else emptyIndex(connection, index, until)
    return true
  })
}

/** Fills an index with the documents behind its row id, until the time is over. In a transaction of the caller's. */
export function buildIndex(
  connection: Connection,
  collection: StoredCollection,
  index: StoredIndex,
  until: number,
): void {
  const problem = new ProblemList(connection, index)
  let { builtTo } = index
  let isWhole = true
  const sql = `SELECT seq, json(doc) FROM ${collection.table} WHERE seq > ? ORDER BY seq`
  connection.withStatement(sql, (statement) => {
    for (const [rowId, text] of statement.iterate(builtTo) as unknown as Iterable<[number, string]>) {
      const document = storedDocument(text)
      const entries = entriesOf(document, index.fields)
      if (problem.isFree(collection, { document, entries })) addEntries(connection, index, { rowId, entries })
      builtTo = rowId
      // After each document, for one may take as long as a thousand others.
      isWhole = performance.now() < until
      if (!isWhole) break
    }
  })
  problem.save()
  const state: IndexState = !isWhole ? 'building' : problem.isEmpty() ? 'ready' : 'failed'
  connection.run('UPDATE indexes SET built_to = ?, state = ? WHERE id = ?', builtTo, state, index.id)
  if (state === 'failed') emptyFailed(connection, index)
}

/** What is left of an index that failed is its line in the list, which says why. */
function emptyFailed(connection: Connection, index: StoredIndex): void {
  connection.execute(`DROP TABLE ${index.table}`)
  connection.execute(indexTable(index.table, index.fields))
}

/** Takes entries out of an index until the time is over, or drops it, and says which. In a transaction of the caller's. */
function emptyIndex(connection: Connection, index: StoredIndex, until: number): boolean {
  const isEmpty = takeEntries(connection, index, until)
  if (isEmpty) dropEmptyIndex(connection, index)
  return isEmpty
}

/** Takes entries out of an index until the time is over, and says whether it has none. In a transaction of the caller's. */
export function takeEntries(connection: Connection, index: StoredIndex, until: number): boolean {
  const columns = index.fields.map((_, field) => keyColumn(field))
  const read = connection.prepare(
    `SELECT ${columns.join(', ')}, place FROM ${index.table} LIMIT ${STEP_ROWS}`,
  )
  const remove = connection.prepare(
    `DELETE FROM ${index.table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')} AND place = ?`,
  )
  do {
    const rows = read.all() as unknown as (Uint8Array | number)[][]
    for (const row of rows) remove.run(...row)
    if (rows.length < STEP_ROWS) return true
  } while (performance.now() < until)
  return false
}

/** In a transaction of the caller's. */
export function dropEmptyIndex(connection: Connection, { id, table }: StoredIndex): void {
  connection.execute(`DROP TABLE ${table}`)
  connection.run('DELETE FROM indexes WHERE id = ?', id)
}

/** The documents that keep an index from being unique, over all of its slices. */
class ProblemList {
  private readonly connection: Connection
  private readonly index: StoredIndex
  private problem: IndexProblem
  private isChanged = false

  constructor(connection: Connection, index: StoredIndex) {
    this.connection = connection
    this.index = index
    const row = connection.row<[string | null]>('SELECT problem FROM indexes WHERE id = ?', index.id)
    this.problem = row?.[0] == null ? { documents: 0, examples: [] } : (JSON.parse(row[0]) as IndexProblem)
  }

  isEmpty(): boolean {
    return this.problem.documents === 0
  }

  /** Whether a document's values are its own; one whose values are not is noted, and stays out of the index. */
  isFree(
    { table }: StoredCollection,
    { document, entries }: { document: JsonObject; entries: DocumentEntries },
  ): boolean {
    const { index, connection } = this
    if (!index.isUnique) return true
    const owner = entries.entries
      .filter((entry) => isTaking(index, entry))
      .flatMap(({ keys }) => ownersOf(connection, { index, keys }))[0]
    if (owner === undefined && !entries.isOverflow) return true
    const sql = `SELECT id FROM ${table} WHERE seq = ?`
    const first = owner === undefined ? [] : [connection.row<[string | number]>(sql, owner)![0]]
    this.note(document, first)
    return false
  }

  save(): void {
    if (!this.isChanged) return
    const sql = 'UPDATE indexes SET problem = ? WHERE id = ?'
    this.connection.run(sql, JSON.stringify(this.problem), this.index.id)
  }

  private note(document: JsonObject, owners: readonly (string | number)[]): void {
    const { documents, examples } = this.problem
    const ids = [...owners.map((id) => JSON.stringify(id)), stringify(document.get('_id')!)]
    const value = this.index.fields
      .map(({ path }) => stringify(document.get(path[0]!) ?? null).slice(0, EXAMPLE_LENGTH))
      .join(', ')
    this.problem = {
      documents: documents + 1,
      examples: examples.length < EXAMPLES ? [...examples, { value, ids }] : examples,
    }
    this.isChanged = true
  }
}

function inTransaction<Result>(connection: Connection, work: () => Result): Result {
  connection.beginWrite()
  connection.catalog.forget()
  try {
    const result = work()
    connection.run('COMMIT')
    return result
  } catch (error) {
    if (connection.isInTransaction()) connection.run('ROLLBACK')
    throw error
  } finally {
    connection.catalog.forget()
  }
}
