import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { Limits } from '../../../domain/limits.ts'
import { Connection } from '../files/connection.ts'
import { createAppFile } from '../files/schema.ts'
import { sqliteCode } from '../files/sqlite-code.ts'
import { registerIndex, workOnIndexes } from '../index/index-work.ts'
import { type ForeignCollection, openForeignApp } from './foreign-app.ts'
import { damaged } from './manifest.ts'

const SQLITE_CONSTRAINT = 19
/** Kibibytes of pages that are kept while a file is filled: entries of indexes come in any order. */
const CACHE_KIB = 64 * 1024
/** A transaction of the work on indexes. */
const BUILD_MS = 1000

/** How much of an app was read. */
export interface RebuiltApp {
  readonly collections: number
  readonly documents: number
}

/**
 * Makes an app's file anew of what another one holds, whoever made that: documents as a client could have saved them, in
 * their natural order, and indexes of these documents. Nothing else of it is taken over. The new file is on the disk when
 * this returns.
 * @throws AppError `invalid_backup`
 */
export function rebuildApp(from: string, to: string, limits: Limits): RebuiltApp {
  const source = openForeignApp(from, limits)
  try {
    createAppFile(to)
    const connection = new Connection(to, 'writer')
    try {
      // Nobody else has the file, and what is not finished is thrown away.
      connection.execute(
        `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}`,
      )
      const documents = source.collections.map((collection) => fill(connection, collection))
      while (workOnIndexes(connection, BUILD_MS));
      connection.execute('PRAGMA journal_mode = WAL')
      return { collections: documents.length, documents: documents.reduce((sum, each) => sum + each, 0) }
    } finally {
      connection.close()
      syncFile(to)
    }
  } finally {
    source.close()
  }
}

/** @returns how many documents there are */
function fill(connection: Connection, { name, lastRowId, indexes, documents }: ForeignCollection): number {
  const collection = connection.catalog.collectionToWrite(name)
  const sql = `INSERT INTO ${collection.table} (seq, id, doc) VALUES (?, ?, jsonb(?))`
  let count = 0
  let last = lastRowId
  connection.execute('BEGIN')
  for (const { rowId, id, text } of documents()) {
    insert(() => connection.run(sql, rowId, id, text), name)
    last = Math.max(last, rowId)
    count++
  }
  connection.run(
    'UPDATE collections SET documents = ?, last_place = ? WHERE id = ?',
    count,
    last,
    collection.id,
  )
  connection.execute('COMMIT')
  for (const { createdAt, ...index } of indexes)
    registerIndex(connection, { collection: name, now: createdAt, ...index })
  return count
}

/** @throws AppError `invalid_backup` where there is one with its `_id` already, which no collection has */
function insert(run: () => unknown, collection: string): void {
  try {
    run()
  } catch (error) {
    if (sqliteCode(error) !== SQLITE_CONSTRAINT) throw error
    throw damaged(`a document of the collection ${JSON.stringify(collection)}`, error)
  }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
