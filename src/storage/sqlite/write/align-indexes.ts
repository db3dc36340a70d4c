import { AppError } from '../../../errors.ts'
import type { StoredCollection, StoredIndex } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { indexTable } from '../files/schema.ts'
import { buildIndex, retireIndex } from '../index/index-work.ts'
import type { Staging } from './staging.ts'
import type { WriteContext } from './write-context.ts'

/**
 * Sees to it that the staging collection has the indexes that its target has by now. For when nothing of it is left to
 * be copied, or nothing has been.
 * @returns whether that is done, rather than the time over
 * @throws AppError `unique_violation` where a unique index was made meanwhile that the import's documents are against
 */
export function alignIndexes(context: WriteContext, staging: Staging, until: number): boolean {
  const { connection } = context
  const { target, collection } = staging
  if (target === undefined) return true
  const { catalog } = connection
  const wanted = catalog.indexesOf(target).filter(({ state }) => state === 'ready')
  for (const index of catalog.indexesOf(collection))
    if (index.state !== 'dropping' && !wanted.some((each) => isSame(each, index)))
      retireIndex(connection, index)
  catalog.forget()
  for (const index of wanted) {
    const known = catalog.indexesOf(collection).find((each) => isSame(each, index))
    if (known?.state === 'ready') continue
    if (known === undefined) makeIndexLike(connection, collection, index)
    else buildIndex(connection, collection, known, until)
    catalog.forget()
    const made = catalog.indexesOf(collection).find((each) => isSame(each, index))!
    if (made.state === 'failed') throw madeMeanwhile(index)
    if (made.state === 'building') return false
  }
  return true
}

/** Whether one index is to be in the place of the other. */
export function isSame(one: StoredIndex, other: StoredIndex): boolean {
  return (
    one.name === other.name &&
    one.isUnique === other.isUnique &&
    JSON.stringify(one.fields) === JSON.stringify(other.fields)
  )
}

/** Makes an index like that of another collection. Where there are no documents yet, it is ready as it is. */
export function makeIndexLike(
  connection: Connection,
  collection: StoredCollection,
  { id, fields }: StoredIndex,
): void {
  const isEmpty = connection.row(`SELECT 1 FROM ${collection.table} LIMIT 1`) === undefined
  const [made] = connection.row<[number]>(
    'INSERT INTO indexes (collection, name, fields, is_unique, is_automatic, state, created_at) ' +
      'SELECT ?, name, fields, is_unique, is_automatic, ?, created_at FROM indexes WHERE id = ? RETURNING id',
    collection.id,
    isEmpty ? 'ready' : 'building',
    id,
  )!
  connection.execute(indexTable(`i${made}`, fields))
}

function madeMeanwhile({ name }: StoredIndex): AppError {
  return new AppError(
    'unique_violation',
    `the unique index ${JSON.stringify(name)} was made while the import was under way, and documents of the import have values that it allows once; nothing was saved`,
  )
}
