import { DatabaseSync } from 'node:sqlite'
import type { DocumentId } from '../../../domain/document.ts'
import type { Limits } from '../../../domain/limits.ts'
import { collectionName } from '../../../domain/names.ts'
import { AppError } from '../../../errors.ts'
import { documentId } from '../../../json/document-id.ts'
import { documentTooLarge } from '../../../json/document-too-large.ts'
import { ExactParser } from '../../../json/exact.ts'
import { stringify } from '../../../json/stringify.ts'
import { isJsonObject } from '../../../json/value.ts'
import type { SortField } from '../../../query/ast.ts'
import { indexName, parseIndexFields } from '../../../query/index-fields.ts'
import {
  APP_FILE_APPLICATION_ID,
  APP_FILE_VERSION,
  collectionTable,
  createAppTables,
  isHidden,
  TABLE_NUMBER,
} from '../files/schema.ts'
import { sqliteCode } from '../files/sqlite-code.ts'
import { openForeign, problemOf, stampOf } from './foreign-database.ts'
import { damaged, newer } from './manifest.ts'

/** What an app's file that anybody may have made has in it, each value checked as it is read. */
export interface ForeignApp {
  readonly collections: readonly ForeignCollection[]
  close(): void
}

export interface ForeignCollection {
  readonly name: string
  /** The last row id that was taken. */
  readonly lastRowId: number
  readonly indexes: readonly ForeignIndex[]
  documents(): Iterable<ForeignDocument>
}

export interface ForeignIndex {
  readonly name: string
  readonly fields: readonly SortField[]
  readonly isUnique: boolean
  readonly isAutomatic: boolean
  readonly createdAt: number
}

export interface ForeignDocument {
  readonly rowId: number
  readonly id: DocumentId
  readonly text: string
}

/** Version from which on there are indexes, and the last row id of a collection. */
const INDEXED_VERSION = 2
/** Version from which on a collection may be in a table of another number, and there may be imports under way. */
const IMPORTS_VERSION = 3
/** What the table of an index can be, whatever its fields are. */
const INDEX_TABLE =
  /^CREATE TABLE (?:i\d+|"i\d+") \((?:k\d BLOB NOT NULL, )+place INTEGER NOT NULL, flags INTEGER NOT NULL, PRIMARY KEY \((?:k\d(?: DESC)?, )+place\)\) WITHOUT ROWID$/

/** What notes changes for an import that was under way. It is never run, for nothing is written here. */
const IMPORT_TRIGGER =
  /^CREATE TRIGGER import_(\d+)_(?:update AFTER UPDATE|delete AFTER DELETE) ON c\d+ BEGIN INSERT OR IGNORE INTO import_changes VALUES \(\1, old\.seq\); END$/

/**
 * Opens an app's file to take documents out of it. Its tables have to be, to the letter, what Sheaf writes, and there may be
 * nothing else.
 * @throws AppError `invalid_backup`
 */
export function openForeignApp(path: string, limits: Limits): ForeignApp {
  const db = openForeign(path, mostBytes(limits))
  try {
    const { applicationId, version } = stampOf(db)
    if (applicationId !== APP_FILE_APPLICATION_ID || version < 1) throw damaged(DOCUMENTS)
    if (version > APP_FILE_VERSION) throw newer('')
    const problem = problemOf(db)
    if (problem !== undefined) throw damaged(DOCUMENTS, new Error(problem))
    requireOwnTables(db, version)
    return { collections: collectionsOf(db, { version, limits }), close: () => db.close() }
  } catch (error) {
    db.close()
    throw error instanceof AppError && error.code === 'invalid_backup' ? error : damaged(DOCUMENTS, error)
  }
}

/** Beside documents there are names and the tables themselves. */
const LEAST_BYTES = 64 * 1024
const SQLITE_TOOBIG = 18
/** What a server with other limits has taken. */
const OVER_LIMITS: ReadonlySet<string> = new Set(['document_too_large', 'nesting_too_deep'])
const DOCUMENTS = 'the file with the documents of the app'

/** A document as SQLite keeps it has never twice as many bytes as its text, nor its text four times as many as that. */
function mostBytes({ documentBytes }: Limits): number {
  return Math.max(LEAST_BYTES, 4 * documentBytes)
}

/** @throws AppError `invalid_backup` */
function requireOwnTables(db: DatabaseSync, version: number): void {
  const own = tablesOfVersion(version)
  const lines = db.prepare('SELECT type, name, sql FROM sqlite_schema').all() as unknown as SchemaLine[]
  const stranger = lines.find((line) => own.get(line.name) !== line.sql && !isOfCollection(line))
  if (stranger !== undefined || [...own.keys()].some((name) => lines.every((line) => line.name !== name)))
    throw damaged(DOCUMENTS, new Error(`its schema has ${stranger?.name ?? 'too little'}`))
}

interface SchemaLine {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

/** The tables of a file without collections, by their names, as SQLite writes them down. */
function tablesOfVersion(version: number): ReadonlyMap<string, string | null> {
  const db = new DatabaseSync(':memory:')
  try {
    createAppTables(db, version)
    const lines = db.prepare('SELECT name, sql FROM sqlite_schema').all() as unknown as SchemaLine[]
    return new Map(lines.map(({ name, sql }) => [name, sql]))
  } finally {
    db.close()
  }
}

/** SQLite quotes the name of a table that was renamed. */
function isOfCollection({ type, name, sql }: SchemaLine): boolean {
  if (type === 'index') return sql === null && /^sqlite_autoindex_[ci]\d+_1$/.test(name)
  if (type === 'trigger') return IMPORT_TRIGGER.test(sql ?? '')
  if (type !== 'table' || sql === null) return false
  if (/^i\d+$/.test(name)) return INDEX_TABLE.test(sql)
  return /^c\d+$/.test(name) && (sql === collectionTable(name) || sql === collectionTable(`"${name}"`))
}

interface ReadContext {
  readonly version: number
  readonly limits: Limits
}

function collectionsOf(db: DatabaseSync, { version, limits }: ReadContext): ForeignCollection[] {
  const last = version < INDEXED_VERSION ? '0' : 'last_place'
  const [number, shown] =
    version < IMPORTS_VERSION ? ['id', 'TRUE'] : [TABLE_NUMBER, `NOT ${isHidden('name')}`]
  const sql = `SELECT id, name, ${last}, ${number} FROM collections WHERE ${shown} ORDER BY id`
  const rows = [...rowsOf<[bigint, string, bigint, bigint]>(db, sql)]
  // Or the documents of one table could be taken out a million times.
  if (new Set(rows.map(([, , , table]) => table)).size < rows.length)
    throw new Error('two collections have one table')
  return rows.map(([id, name, lastRowId, table]) => ({
    name: collectionName(name),
    lastRowId: rowIdFrom(lastRowId),
    indexes: version < INDEXED_VERSION ? [] : indexesOf(db, { collection: id, limits }),
    documents: () => documentsOf(db, { table: `c${table}`, name, limits }),
  }))
}

/** Those that can be used or are being built: what failed or is dropped has nothing. */
function indexesOf(
  db: DatabaseSync,
  { collection, limits }: { readonly collection: bigint; readonly limits: Limits },
): ForeignIndex[] {
  const sql =
    'SELECT name, is_unique, is_automatic, created_at FROM indexes ' +
    "WHERE collection = ? AND state IN ('building', 'ready') ORDER BY id"
  const rows = rowsOf<[string, bigint, bigint, bigint]>(db, sql, collection)
  return Array.from(rows, ([name, isUnique, isAutomatic, createdAt]) => {
    const fields = parseIndexFields(name, limits)
    if (indexName(fields) !== name) throw new Error(`${JSON.stringify(name)} is the name of no index`)
    return {
      ...{ name, fields },
      ...{ isUnique: isUnique === 1n, isAutomatic: isAutomatic === 1n, createdAt: rowIdFrom(createdAt) },
    }
  })
}

interface DocumentsOf {
  readonly table: string
  readonly name: string
  readonly limits: Limits
}

/** In natural order. */
function* documentsOf(db: DatabaseSync, { table, name, limits }: DocumentsOf): Generator<ForeignDocument> {
  const rows = rowsOf<[bigint, unknown, string]>(
    db,
    `SELECT seq, id, json(doc) FROM ${table} WHERE seq > 0 ORDER BY seq`,
  )
  try {
    for (const [rowId, id, text] of rows) yield { rowId: rowIdFrom(rowId), ...documentFrom(text, id, limits) }
  } catch (error) {
    const document = `a document of the collection ${JSON.stringify(name)}`
    const refused = sqliteCode(error) === SQLITE_TOOBIG ? documentTooLarge(limits.documentBytes) : error
    if (refused instanceof AppError && OVER_LIMITS.has(refused.code))
      throw new AppError('invalid_backup', `${document} is over a limit of this server: ${refused.message}`)
    throw damaged(document, error)
  }
}

/** A document as a client could have saved it. */
function documentFrom(text: string, rowsId: unknown, limits: Limits): Omit<ForeignDocument, 'rowId'> {
  const parser = new ExactParser(text, {
    nestingLevels: limits.nestingLevels,
    maxBytes: limits.documentBytes,
  })
  const value = parser.value()
  parser.end()
  if (!isJsonObject(value) || [...value.keys()].some((key) => key.startsWith('$')))
    throw new Error('it is no document')
  const id = documentId(value.get('_id') ?? null)
  if (!isSameId(id, rowsId)) throw new Error('it is stored under the _id of another one')
  const compact = parser.compact ? text : stringify(value)
  if (Buffer.byteLength(compact) > limits.documentBytes) throw documentTooLarge(limits.documentBytes)
  return { id, text: compact }
}

/** A number may be stored as an integer or a double. */
function isSameId(id: DocumentId, stored: unknown): boolean {
  if (typeof id === 'string') return id === stored
  if (typeof stored !== 'number' && typeof stored !== 'bigint') return false
  return !(id < stored) && !(id > stored) && !Number.isNaN(stored)
}

/** What a double holds, as row ids and times are everywhere. */
function rowIdFrom(value: bigint): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw new Error('a number is out of range')
}

/** Integers come as bigints, for one that a double can't hold would fail the whole statement. */
function rowsOf<Row extends readonly unknown[]>(
  db: DatabaseSync,
  sql: string,
  ...parameters: bigint[]
): Iterable<Row> {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  statement.setReadBigInts(true)
  return statement.iterate(...parameters) as unknown as Iterable<Row>
}
