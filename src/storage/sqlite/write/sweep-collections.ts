import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { emptiedName, isEmptied, isStaging } from '../files/schema.ts'
import { dropEmptyIndex, takeEntries } from '../index/index-work.ts'
import type { SweepCollections, SweepProgress } from '../protocol/upkeep-requests.ts'
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
 * what was removed from the bin, or has been there for its time. Tables are emptied by and by before they are dropped, for
 * SQLite looks at every page of one that it drops; and as many as there is time for are dropped together, for each
 * transaction with a drop has every connection read the whole schema anew.
 */
export function sweepCollections(
  context: SweepContext,
  { binnedBefore }: Omit<SweepCollections, 'step'>,
): SweepProgress {
  const { connection } = context
  const until = performance.now() + context.bounds.stepMs
  endAbandoned(context)
  expireBin(connection, binnedBefore)
  try {
    return emptyTables(connection, until) ? 'emptied' : dropTables(connection, until)
  } finally {
    connection.catalog.forget()
  }
}

/** @returns whether there was a table to be emptied */
function emptyTables(connection: Connection, until: number): boolean {
  let isSome = false
  do {
    const left = nextLeft(connection, `NOT ${isEmptied('name')}`)
    if (left === undefined) break
    isSome = true
    unwatch(connection, left.id)
    const isEmpty =
      sweepNotes(connection, left.id, until) &&
      connection.catalog.indexesOf(left).every((index) => takeEntries(connection, index, until)) &&
      sweepDocuments(connection, left, until)
    if (!isEmpty) break
    connection.run('UPDATE collections SET name = ? WHERE id = ?', emptiedName(left.id), left.id)
  } while (performance.now() < until)
  return isSome
}

function dropTables(connection: Connection, until: number): SweepProgress {
  for (;;) {
    const left = nextLeft(connection, isEmptied('name'))
    if (left === undefined) return 'done'
    for (const index of connection.catalog.indexesOf(left)) {
      dropEmptyIndex(connection, index)
      if (performance.now() >= until) return 'dropped'
    }
    connection.execute(`DROP TABLE ${left.table}`)
    connection.run('DELETE FROM collections WHERE id = ?', left.id)
    if (performance.now() >= until) return 'dropped'
  }
}

/** A collection that is nobody's. @param condition SQL */
function nextLeft(connection: Connection, condition: string): StoredCollection | undefined {
  const row = connection.row<[string]>(
    `SELECT name FROM collections WHERE ${isStaging('name')} AND ${condition} ` +
      'AND id NOT IN (SELECT staging FROM imports) LIMIT 1',
  )
  return row && connection.catalog.collection(row[0])
}

function sweepNotes(connection: Connection, id: number, until: number): boolean {
  return ['import_changes', 'import_replaced'].every((table) => {
    const some = `SELECT row_id FROM ${table} WHERE staging = ? LIMIT ${NOTES_AT_ONCE}`
    const remove = `DELETE FROM ${table} WHERE staging = ? AND row_id IN (${some})`
    while (connection.run(remove, id, id) === NOTES_AT_ONCE) if (performance.now() >= until) return false
    return true
  })
}

function sweepDocuments(connection: Connection, collection: StoredCollection, until: number): boolean {
  const { table } = collection
  for (;;) {
    const last = nextRowIds(connection, collection, 0).at(-1)
    if (last === undefined) return true
    connection.run(`DELETE FROM ${table} WHERE seq <= ?`, last)
    if (performance.now() >= until) return false
  }
}
