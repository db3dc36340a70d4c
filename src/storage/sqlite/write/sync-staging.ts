import type { DocumentId } from '../../../domain/document.ts'
import { ownersOf, uniqueViolation } from '../index/index-maintenance.ts'
import { documentExists, refuse } from './import-document.ts'
import { nextRowIds } from './next-row-ids.ts'
import { noteReplaced, numberAt, type Staging } from './staging.ts'
import { countDocuments, type WriteContext } from './write-context.ts'
import { documentById, insertDocument, removeAt } from './write-documents.ts'

/** Changes that are looked up at once. */
const CHANGES_AT_ONCE = 100

/**
 * Copies documents of the target that were not copied yet, with their row ids.
 * @returns whether that is done, rather than the time over
 */
export function copyRows(context: WriteContext, staging: Staging, until: number): boolean {
  const { connection } = context
  const { target, collection, copiedTo } = staging
  if (target === undefined) return true
  const isPlain = staging.taken === 0 && connection.catalog.indexesOf(collection).length === 0
  // What a copy that is out of date has may stand elsewhere by now, where a plain copy would come upon it.
  if (isPlain && !syncChanges(context, staging, until)) return false
  const copy = `INSERT INTO ${collection.table} (seq, id, doc) SELECT seq, id, doc FROM ${target.table} WHERE seq > ? AND seq <= ? ORDER BY seq`
  for (let from = copiedTo; ; from = staging.copiedTo) {
    const rowIds = nextRowIds(connection, target, from)
    if (rowIds.length === 0) return true
    if (isPlain) {
      staging.copiedTo = rowIds.at(-1)!
      countDocuments(context.tally.counts, collection.id, connection.run(copy, from, staging.copiedTo))
    } else
      for (const rowId of rowIds) {
        copyRow(context, staging, rowId)
        staging.copiedTo = rowId
        if (performance.now() >= until) break
      }
    if (performance.now() >= until) return false
  }
}

/**
 * Makes the documents of the target that have changed since they were copied what they are now.
 * @returns whether that is done, rather than the time over
 */
export function syncChanges(context: WriteContext, staging: Staging, until: number): boolean {
  const { connection } = context
  const next = 'SELECT row_id FROM import_changes WHERE staging = ? LIMIT ?'
  const forget = 'DELETE FROM import_changes WHERE staging = ? AND row_id = ?'
  for (;;) {
    const changes = connection.prepare(next).all(staging.id, CHANGES_AT_ONCE) as unknown as [number][]
    if (changes.length === 0) return true
    for (const [rowId] of changes) {
      connection.run(forget, staging.id, rowId)
      // Those behind come with the others.
      if (rowId <= staging.copiedTo) syncRow(context, staging, rowId)
      if (performance.now() >= until) return false
    }
  }
}

/** Makes what is staged at a row id of the target what is there now, unless the import has put its own in the place. */
function syncRow(context: WriteContext, staging: Staging, rowId: number): void {
  const { connection } = context
  if (numberAt(connection, staging, rowId) !== undefined) return
  removeAt(context, staging.collection, rowId)
  copyRow(context, staging, rowId)
}

/** Copies the document of the target at a row id, if there is one, to where nothing is. */
function copyRow(context: WriteContext, staging: Staging, rowId: number): void {
  const sql = `SELECT id, json(doc) FROM ${staging.target!.table} WHERE seq = ?`
  const row = context.connection.row<[DocumentId, string]>(sql, rowId)
  if (row !== undefined) insertTheirs(context, staging, { rowId, id: row[0], text: row[1] })
}

/** Copies one document, to which those of the import give way as its terms say. */
function insertTheirs(
  context: WriteContext,
  staging: Staging,
  theirs: { readonly rowId: number; readonly id: DocumentId; readonly text: string },
): void {
  const { collection, tally } = staging
  const { counts, terms } = tally
  const same = documentById(context, collection, theirs.id)
  if (same !== undefined) {
    const ours = numberAt(context.connection, staging, same.rowId)
    removeAt(context, collection, same.rowId)
    // Else it is a copy of what has changed since, as is noted.
    if (ours !== undefined) {
      takeBack(context, staging, { rowId: same.rowId, isReplaced: ours.isReplaced })
      if (terms.onConflict === 'replace') {
        counts.replaced++
        const { rowId } = theirs
        insertDocument(context, collection, { rowId, id: theirs.id, text: same.text })
        noteReplaced(context.connection, staging.id, { rowId, number: ours.number })
        context.tally.taken.length = 0
        return
      }
      if (terms.onConflict === 'skip') counts.skipped++
      else refuse(tally, ours.number, documentExists(theirs.id))
    }
  }
  insertDocument(context, collection, theirs)
  giveWay(context, staging, theirs.rowId)
}

/** Takes out every other document that has a value in a unique index that the one at a row id has. */
function giveWay(context: WriteContext, staging: Staging, rowId: number): void {
  const { connection } = context
  for (const { index, keys } of context.tally.taken.splice(0))
    for (const other of ownersOf(connection, { index, keys })) {
      if (other === rowId) continue
      const ours = numberAt(connection, staging, other)
      removeAt(context, staging.collection, other)
      // Else it is a copy of what has changed since, as is noted.
      if (ours === undefined) continue
      takeBack(context, staging, { rowId: other, isReplaced: ours.isReplaced })
      refuse(staging.tally, ours.number, uniqueViolation(index, undefined))
      if (ours.isReplaced) syncRow(context, staging, other)
    }
}

/** Counts and notes nothing any more of a document of the import that was taken out. */
function takeBack(
  { connection }: WriteContext,
  { id, tally }: Staging,
  { rowId, isReplaced }: { readonly rowId: number; readonly isReplaced: boolean },
): void {
  tally.counts[isReplaced ? 'replaced' : 'created']--
  if (isReplaced) connection.run('DELETE FROM import_replaced WHERE staging = ? AND row_id = ?', id, rowId)
}
