import assert from 'node:assert/strict'
import { storedDocument } from '../src/json/stored.ts'
import type { StoredCollection, StoredIndex } from '../src/storage/sqlite/files/catalog.ts'
import type { Connection } from '../src/storage/sqlite/files/connection.ts'
import { entriesOf } from '../src/storage/sqlite/index/index-keys.ts'

/**
 * Asserts that the count that is kept of each collection's documents is right, and that each index holds what it
 * should of each document, and nothing else. Answers how many indexes there are.
 */
export function checkCatalog(connection: Connection): number {
  const names = connection.prepare('SELECT name FROM collections').all() as unknown as [string][]
  const counts = names.map(([name]) => checkCollection(connection, connection.catalog.collection(name)!))
  return counts.reduce((sum, count) => sum + count, 0)
}

function checkCollection(connection: Connection, collection: StoredCollection): number {
  const [documents] = connection.row<[number]>(`SELECT count(*) FROM ${collection.table}`)!
  assert.equal(connection.catalog.documentsOf(collection), documents)
  const indexes = connection.catalog
    .indexesOf(collection)
    .filter(({ state }) => state === 'ready' || state === 'building')
  for (const index of indexes) checkEntries(connection, collection, index)
  return indexes.length
}

function checkEntries(
  connection: Connection,
  { table }: StoredCollection,
  { fields, table: entries, state, builtTo }: StoredIndex,
): void {
  const columns = fields.map((_, field) => `hex(k${field})`).join(` || '-' || `)
  const held = connection
    .prepare(`SELECT place || ' ' || ${columns} || ' ' || flags FROM ${entries}`)
    .all()
    .map((row) => (row as unknown as [string])[0])
  const last = state === 'ready' ? Number.MAX_SAFE_INTEGER : builtTo
  const rows = connection.prepare(`SELECT seq, json(doc) FROM ${table} WHERE seq <= ?`).all(last)
  const should = (rows as unknown as [number, string][]).flatMap(([rowId, text]) => {
    const document = storedDocument(text)
    return entriesOf(document, fields).entries.map(({ keys, flags }) => `${rowId} ${hexOf(keys)} ${flags}`)
  })
  assert.deepEqual(held.toSorted(), should.toSorted())
}

function hexOf(keys: readonly Uint8Array[]): string {
  return keys.map((key) => Buffer.from(key).toString('hex').toUpperCase()).join('-')
}
