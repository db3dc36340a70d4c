import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { isStaging } from '../files/schema.ts'
import { emptyIndex } from '../index/index-work.ts'
import type { SweepCollections } from '../protocol/upkeep-requests.ts'
import { expireBin } from './bin.ts'
import { nextRowIds } from './next-row-ids.ts'
import { endAbandoned, unwatch } from './staging.ts'
import type { WriteContext } from './write-context.ts'

type SweepContext = Pick<WriteContext, 'app' | 'connection' | 'imports'> & {
  readonly bounds: Pick<WriteContext['bounds'], 'stepMs'>
}

/** Notes that one statement deletes, between looks at the clock. */
const NOTES_AT_ONCE = 100

/**
 * Takes away what imports have left behind: what was staged and not taken over, and what was there before one was; and
 * what was removed from the bin, or has been there for its time. A table is emptied by and by before it is dropped, for
 * SQLite looks at every page of one that it drops.
 * @returns whether there is more
 */
export function sweepCollections(
  context: SweepContext,
  { binnedBefore }: Omit<SweepCollections, 'step'>,
): boolean {
  const { connection } = context
  const until = performance.now() + context.bounds.stepMs
  endAbandoned(context)
  expireBin(connection, binnedBefore)
  const left = connection.row<[number, string]>(
    `SELECT id, name FROM collections WHERE ${isStaging('name')} AND id NOT IN (SELECT staging FROM imports) LIMIT 1`,
  )
  if (left === undefined) return false
  const [id, name] = left
  unwatch(connection, id)
  const isDone =
    sweepNotes(connection, id, until) &&
    sweepIndexes(connection, connection.catalog.collection(name)!, until) &&
    sweepDocuments(connection, connection.catalog.collection(name)!, until)
  if (isDone) connection.run('DELETE FROM collections WHERE id = ?', id)
  connection.catalog.forget()
  return true
}

function sweepNotes(connection: Connection, id: number, until: number): boolean {
  return ['import_changes', 'import_replaced'].every((table) => {
    const some = `SELECT row_id FROM ${table} WHERE staging = ? LIMIT ${NOTES_AT_ONCE}`
    const remove = `DELETE FROM ${table} WHERE staging = ? AND row_id IN (${some})`
    while (connection.run(remove, id, id) === NOTES_AT_ONCE) if (performance.now() >= until) return false
    return true
  })
}

function sweepIndexes(connection: Connection, collection: StoredCollection, until: number): boolean {
  return connection.catalog.indexesOf(collection).every((index) => emptyIndex(connection, index, until))
}

function sweepDocuments(connection: Connection, collection: StoredCollection, until: number): boolean {
  const { table } = collection
  for (;;) {
    const last = nextRowIds(connection, collection, 0).at(-1)
    if (last === undefined) break
    connection.run(`DELETE FROM ${table} WHERE seq <= ?`, last)
    if (performance.now() >= until) return false
  }
  connection.execute(`DROP TABLE ${table}`)
  return true
}
