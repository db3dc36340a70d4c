import type { SortField } from '../../../query/ast.ts'
import type { Connection } from './connection.ts'
import { collectionTable, isStaging, TABLE_NUMBER } from './schema.ts'

export interface StoredCollection {
  readonly id: number
  /** The number in the name of its table. */
  readonly storedIn: number
  readonly table: string
  /** SQL that gives the JSON text of the document with an id. */
  readonly byId: string
}

/**
 * `building`: holds the documents up to a row id, and is kept up to date for these. `ready`: may be read. `failed`:
 * a unique index that found documents with the same value; `dropping`: both are emptied by and by.
 */
export type IndexState = 'building' | 'ready' | 'failed' | 'dropping'

export interface StoredIndex {
  readonly id: number
  readonly table: string
  readonly name: string
  readonly fields: readonly SortField[]
  readonly isUnique: boolean
  readonly isAutomatic: boolean
  readonly state: IndexState
  /** The row id in natural order up to which a building index holds the documents. */
  readonly builtTo: number
  /** Bit n is set where some document has given several keys for field n. */
  multikey: number
  /** Whether some document is kept apart (`index-keys.ts`). */
  hasOverflow: boolean
}

const INDEX_COLUMNS = 'id, name, fields, is_unique, is_automatic, state, built_to, multikey, has_apart'

type IndexRow = [number, string, string, number, number, IndexState, number, number, number]

/** Which collections and indexes a file has, as its connection last saw them. */
export class Catalog {
  private readonly connection: Connection
  private readonly collections = new Map<string, StoredCollection>()
  private readonly indexes = new Map<number, readonly StoredIndex[]>()
  /** The last row id taken in each collection, by its id. */
  private readonly rowIds = new Map<number, number>()
  private version = -1

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Forgets what another connection may have changed; asked at the beginning of a transaction. */
  refresh(): void {
    const [version] = this.connection.row<[number]>('PRAGMA data_version')!
    if (version === this.version) return
    this.version = version
    this.forget()
  }

  /** A collection, or undefined where it doesn't exist. */
  collection(name: string): StoredCollection | undefined {
    const known = this.collections.get(name)
    if (known !== undefined) return known
    const sql = `SELECT id, ${TABLE_NUMBER} FROM collections WHERE name = ?`
    const row = this.connection.row<[number, number]>(sql, name)
    if (row === undefined) return undefined
    const found = storedCollection(...row)
    this.collections.set(name, found)
    return found
  }

  /** The one with a number, whatever its name is, also in the bin; undefined where its documents are gone, or going. */
  collectionById(id: number): StoredCollection | undefined {
    const sql = `SELECT id, ${TABLE_NUMBER} FROM collections WHERE id = ? AND NOT ${isStaging('name')}`
    const row = this.connection.row<[number, number]>(sql, id)
    return row && storedCollection(...row)
  }

  /** A collection, made where it doesn't exist yet. */
  collectionToWrite(name: string): StoredCollection {
    const known = this.collection(name)
    if (known !== undefined) return known
    this.connection.run('INSERT INTO collections (name) VALUES (?)', name)
    return this.makeTable(name)
  }

  /** Makes the table of a collection that was just registered. */
  makeTable(name: string): StoredCollection {
    const made = this.collection(name)!
    this.connection.execute(collectionTable(made.table))
    return made
  }

  /** In the order in which they were made. */
  indexesOf({ id }: StoredCollection): readonly StoredIndex[] {
    const known = this.indexes.get(id)
    if (known !== undefined) return known
    const sql = `SELECT ${INDEX_COLUMNS} FROM indexes WHERE collection = ? ORDER BY id`
    const found = (this.connection.prepare(sql).all(id) as unknown as IndexRow[]).map(indexOf)
    this.indexes.set(id, found)
    return found
  }

  /** How many documents a collection has. */
  documentsOf(collection: StoredCollection): number {
    return this.countOf(collection) ?? 0
  }

  /** The same; undefined where the collection was dropped after it had been looked up. */
  countOf({ id }: StoredCollection): number | undefined {
    return this.connection.row<[number]>('SELECT documents FROM collections WHERE id = ?', id)?.[0]
  }

  /**
   * The next row id in a collection's natural order. None is ever taken twice: a reader that holds the row ids of the
   * documents it found, or a client that holds a cursor, must not meet another document there.
   */
  nextRowId({ id }: StoredCollection): number {
    const known = this.rowIds.get(id)
    if (known !== undefined) return known + 1
    const sql = 'SELECT last_place FROM collections WHERE id = ?'
    return (this.connection.row<[number]>(sql, id)?.[0] ?? 0) + 1
  }

  takeRowId({ id }: StoredCollection, rowId: number): void {
    this.rowIds.set(id, rowId)
  }

  /** The last row id taken since the file was opened, or 0: to be written down with the documents. */
  lastRowId(collection: number): number {
    return this.rowIds.get(collection) ?? 0
  }

  forget(): void {
    this.collections.clear()
    this.indexes.clear()
  }
}

function storedCollection(id: number, storedIn: number): StoredCollection {
  const table = `c${storedIn}`
  return { id, storedIn, table, byId: `SELECT json(doc) FROM ${table} WHERE id = ?` }
}

function indexOf(row: IndexRow): StoredIndex {
  const [id, name, fields, isUnique, isAutomatic, state, builtTo, multikey, hasOverflow] = row
  return {
    id,
    table: `i${id}`,
    name,
    fields: JSON.parse(fields) as SortField[],
    isUnique: isUnique === 1,
    isAutomatic: isAutomatic === 1,
    state,
    builtTo,
    multikey,
    hasOverflow: hasOverflow === 1,
  }
}
