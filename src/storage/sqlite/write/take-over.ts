import type { StoredCollection } from '../files/catalog.ts'
import { indexTable } from '../files/schema.ts'
import { isSame } from './align-indexes.ts'
import { endStaging, type Staging } from './staging.ts'
import { countDocuments, type WriteContext } from './write-context.ts'

/**
 * Puts what is staged in the place of the target's documents, which are the staging collection's from here on, to be
 * swept away. The target keeps its number, so that reads that are under way go on behind the row id where they are.
 * Nothing is copied, and no table is made or renamed: renaming one takes SQLite 150 ms among 5000 others.
 */
export function takeOver(context: WriteContext, staging: Staging): void {
  const { app, connection, changes } = context
  const { collection, target, tally } = staging
  endStaging(context, staging.id)
  const isEmpty = tally.counts.created + tally.counts.replaced === 0
  if (target === undefined && isEmpty) return
  if (target === undefined)
    connection.run('UPDATE collections SET name = ? WHERE id = ?', staging.name, staging.id)
  else {
    swapIndexes(context, { target, collection })
    swapTables(context, { target, collection })
    // Which documents have changed is not known one by one.
    changes.forget(app, target)
  }
  const shown = target ?? collection
  connection.catalog.takeRowId(shown, staging.base + staging.taken)
  countDocuments(context.tally.counts, shown.id, 0)
  connection.catalog.forget()
}

interface Swapped {
  readonly target: StoredCollection
  readonly collection: StoredCollection
}

function swapTables(context: WriteContext, { target, collection }: Swapped): void {
  const { connection } = context
  const { counts } = context.tally
  const documentsOf = (each: StoredCollection): number =>
    connection.catalog.documentsOf(each) + (counts.get(each.id) ?? 0)
  const more = documentsOf(collection) - documentsOf(target)
  countDocuments(counts, target.id, more)
  countDocuments(counts, collection.id, -more)
  const store = 'UPDATE collections SET stored_in = ? WHERE id = ?'
  connection.run(store, collection.storedIn, target.id)
  connection.run(store, target.storedIn, collection.id)
}

/**
 * An index that is still being built is begun again, on the documents that are there from now on; one that failed says
 * why, and has nothing else.
 */
function swapIndexes({ connection }: WriteContext, { target, collection }: Swapped): void {
  const { catalog } = connection
  const staged = catalog.indexesOf(collection)
  const move =
    'UPDATE indexes SET collection = ?, is_automatic = ?, created_at = (SELECT created_at FROM indexes WHERE id = ?) WHERE id = ?'
  const retire = "UPDATE indexes SET collection = ?, state = 'dropping', name = char(0) || id WHERE id = ?"
  for (const index of catalog.indexesOf(target)) {
    if (index.state !== 'ready' && index.state !== 'building') continue
    connection.run(retire, collection.id, index.id)
    const successor = staged.find((each) => each.state === 'ready' && isSame(each, index))
    if (successor !== undefined && index.state === 'ready') {
      connection.run(move, target.id, Number(index.isAutomatic), index.id, successor.id)
      continue
    }
    const [id] = connection.row<[number]>(
      'INSERT INTO indexes (collection, name, fields, is_unique, is_automatic, state, created_at) ' +
        "SELECT ?, ?, fields, is_unique, is_automatic, 'building', created_at FROM indexes WHERE id = ? RETURNING id",
      target.id,
      index.name,
      index.id,
    )!
    connection.execute(indexTable(`i${id}`, index.fields))
  }
}
