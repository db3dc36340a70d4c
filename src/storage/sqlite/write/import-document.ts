import type { DocumentId } from '../../../domain/document.ts'
import { AppError, atDocument } from '../../../errors.ts'
import { withAssignedId } from '../../../update/make-document.ts'
import type { ImportCounts } from '../../import-store.ts'
import type { DocumentToSave } from '../../store.ts'
import type { StoredCollection } from '../files/catalog.ts'
import { checkUnique } from '../index/index-maintenance.ts'
import { type Failure, failureOf } from '../protocol/failures.ts'
import type { ImportTerms } from '../protocol/import-requests.ts'
import type { WriteContext } from './write-context.ts'
import { documentById, insertDocument, insertIfNew, replaceDocument } from './write-documents.ts'

/** What an import has done, and what it goes by. */
export interface ImportTally {
  readonly terms: ImportTerms
  readonly counts: { -readonly [Count in keyof ImportCounts]: number }
  /** Of the step at hand. */
  readonly refusals: [document: number, failure: Failure][]
  /** Told where a document came in the place of one that was there. */
  readonly onReplaced?: (replaced: { readonly rowId: number; readonly number: number }) => void
}

export type NumberedDocument = DocumentToSave & {
  /** Its number in the import, from 0. */
  readonly number: number
  /** Where it is to be if it is new; without it, behind all others. */
  readonly rowId?: number | undefined
}

export function importTally({ onConflict, skipsRefused }: ImportTerms): ImportTally {
  const counts = { created: 0, replaced: 0, skipped: 0, refused: 0 }
  return { terms: { onConflict, skipsRefused }, counts, refusals: [] }
}

/** @throws AppError where the document is refused, and none may be left out */
export function importDocument(
  context: WriteContext,
  collection: StoredCollection,
  tally: ImportTally,
  document: NumberedDocument,
): void {
  try {
    tally.counts[unlessRefused(context, collection, tally, document)]++
  } catch (error) {
    refuse(tally, document.number, error)
  }
}

/** Leaves a document out, where that is allowed. @throws AppError else */
export function refuse(tally: ImportTally, number: number, error: unknown): void {
  if (!isRefusal(error) || !tally.terms.skipsRefused) throw atDocument(number, error)
  tally.counts.refused++
  tally.refusals.push([number, failureOf(error)])
}

/** @throws AppError where the document is refused; then nothing of it is done */
function unlessRefused(
  context: WriteContext,
  collection: StoredCollection,
  tally: ImportTally,
  document: NumberedDocument,
): keyof ImportCounts {
  const { connection } = context
  const { counts, taken } = context.tally
  if (connection.catalog.indexesOf(collection).every(({ isUnique }) => !isUnique))
    return put(context, collection, tally, document)
  const counted = counts.get(collection.id) ?? 0
  connection.run('SAVEPOINT one_document')
  try {
    const outcome = put(context, collection, tally, document)
    checkUnique(connection, taken)
    connection.run('RELEASE one_document')
    return outcome
  } catch (error) {
    if (!isRefusal(error)) throw error
    connection.run('ROLLBACK TO one_document')
    connection.run('RELEASE one_document')
    counts.set(collection.id, counted)
    // What is known of the shape of an index may have been undone.
    connection.catalog.forget()
    throw error
  } finally {
    taken.length = 0
  }
}

function put(
  context: WriteContext,
  collection: StoredCollection,
  { terms: { onConflict }, onReplaced }: ImportTally,
  { id, text, number, rowId }: NumberedDocument,
): keyof ImportCounts {
  if (id === undefined) {
    const assignedId = context.nextUlid()
    insertDocument(context, collection, {
      id: assignedId,
      text: withAssignedId(text, assignedId),
      rowId,
    })
    return 'created'
  }
  if (insertIfNew(context, collection, { id, text, rowId })) return 'created'
  if (onConflict === 'fail') throw documentExists(id)
  if (onConflict === 'skip') return 'skipped'
  const found = documentById(context, collection, id)!
  replaceDocument(context, collection, { rowId: found.rowId, before: found.text, after: text })
  onReplaced?.({ rowId: found.rowId, number })
  return 'replaced'
}

export function documentExists(id: DocumentId): AppError {
  return new AppError('document_exists', `there is a document with the _id ${JSON.stringify(id)} already`)
}

/** Whether something is wrong with one document alone. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError &&
    ['document_exists', 'unique_violation', 'too_many_values'].includes(error.code)
  )
}
