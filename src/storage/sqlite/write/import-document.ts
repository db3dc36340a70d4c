import type { DocumentId } from '../../../domain/document.ts'
import { AppError, atDocument } from '../../../errors.ts'
import { withAssignedId } from '../../../update/make-document.ts'
import type { ImportCounts } from '../../import-store.ts'
import type { DocumentToSave } from '../../store.ts'
import type { StoredCollection } from '../files/catalog.ts'
import { requireFree } from '../index/index-maintenance.ts'
import { type Failure, failureOf } from '../protocol/failures.ts'
import type { ImportTerms } from '../protocol/import-requests.ts'
import type { WriteContext } from './write-context.ts'
import { documentById, insertDocument, replaceDocument } from './write-documents.ts'

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
    tally.counts[put(context, collection, tally, document)]++
  } catch (error) {
    refuse(tally, document.number, error)
  }
  // What it took was free.
  context.tally.taken.length = 0
}

/** Leaves a document out, where that is allowed. @throws AppError else */
export function refuse(tally: ImportTally, number: number, error: unknown): void {
  if (!isRefusal(error) || !tally.terms.skipsRefused) throw atDocument(number, error)
  tally.counts.refused++
  tally.refusals.push([number, failureOf(error)])
}

/** @throws AppError where the document is refused; nothing of it is done then */
function put(
  context: WriteContext,
  collection: StoredCollection,
  { terms: { onConflict }, onReplaced }: ImportTally,
  { number, ...document }: NumberedDocument,
): keyof ImportCounts {
  const { connection } = context
  const found = document.id === undefined ? undefined : documentById(context, collection, document.id)
  if (found === undefined) {
    const { id = context.nextUlid(), rowId = connection.catalog.nextRowId(collection) } = document
    const text = document.id === undefined ? withAssignedId(document.text, String(id)) : document.text
    requireFree(connection, collection, { rowId, text })
    insertDocument(context, collection, { rowId, id, text })
    return 'created'
  }
  if (onConflict === 'fail') throw documentExists(document.id!)
  if (onConflict === 'skip') return 'skipped'
  const { rowId, text: before } = found
  requireFree(connection, collection, { rowId, text: document.text })
  replaceDocument(context, collection, { rowId, before, after: document.text })
  onReplaced?.({ rowId, number })
  return 'replaced'
}

export function documentExists(id: DocumentId): AppError {
  return new AppError(
    'document_exists',
    `there is a document with the _id ${JSON.stringify(id)} already; choose to skip or to replace such documents (on-conflict)`,
  )
}

/** Whether something is wrong with one document alone. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError &&
    ['document_exists', 'unique_violation', 'too_many_values'].includes(error.code)
  )
}
