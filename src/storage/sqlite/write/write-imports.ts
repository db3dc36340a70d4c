import type { DocumentId } from '../../../domain/document.ts'
import { AppError, atDocument } from '../../../errors.ts'
import { withAssignedId } from '../../../update/make-document.ts'
import type { ImportCommand, ImportCounts } from '../../import-store.ts'
import { unpackedDocuments } from '../../packed.ts'
import type { DocumentToSave } from '../../store.ts'
import type { StoredCollection } from '../files/catalog.ts'
import { checkUnique } from '../index/index-maintenance.ts'
import { type Failure, failureOf } from '../protocol/failures.ts'
import type { ImportRequest, ImportResult } from '../protocol/import-requests.ts'
import { checkDeadline, type WriteContext } from './write-context.ts'
import { insertDocument, insertIfNew, overwriteDocument } from './write-documents.ts'

type Outcome = keyof ImportCounts
type Policy = Pick<ImportCommand, 'onConflict' | 'skipsRefused'>

/** An import that is done in one go. */
export function importDocuments(context: WriteContext, request: ImportRequest): ImportResult {
  const { catalog } = context.connection
  const documents = request.documents.flatMap(unpackedDocuments)
  const counts = { created: 0, replaced: 0, skipped: 0, refused: 0 }
  const refusals: [number, Failure][] = []
  if (documents.length === 0) return { counts, refusals }
  // Where it has to be made, at least the first document can be saved.
  const collection = catalog.collectionToWrite(request.collection)
  for (const [index, document] of documents.entries()) {
    checkDeadline(context.deadline)
    try {
      counts[importDocument(context, collection, request, document)]++
    } catch (error) {
      if (!isRefusal(error) || !request.skipsRefused) throw atDocument(index, error)
      counts.refused++
      refusals.push([index, failureOf(error)])
    }
  }
  return { counts, refusals }
}

/** @throws AppError where the document is refused; then nothing of it is done */
function importDocument(
  context: WriteContext,
  collection: StoredCollection,
  policy: Policy,
  document: DocumentToSave,
): Outcome {
  const { connection, tally } = context
  if (connection.catalog.indexesOf(collection).every(({ isUnique }) => !isUnique))
    return put(context, collection, policy, document)
  const counted = tally.counts.get(collection.id) ?? 0
  connection.run('SAVEPOINT one_document')
  try {
    const outcome = put(context, collection, policy, document)
    checkUnique(connection, tally.taken)
    return outcome
  } catch (error) {
    connection.run('ROLLBACK TO one_document')
    tally.counts.set(collection.id, counted)
    throw error
  } finally {
    tally.taken.length = 0
    if (connection.isInTransaction()) connection.run('RELEASE one_document')
  }
}

function put(
  context: WriteContext,
  collection: StoredCollection,
  { onConflict }: Policy,
  { id, text }: DocumentToSave,
): Outcome {
  if (id === undefined) {
    const assignedId = context.nextUlid()
    insertDocument(context, collection, { id: assignedId, text: withAssignedId(text, assignedId) })
    return 'created'
  }
  const document = { id, text }
  if (insertIfNew(context, collection, document)) return 'created'
  if (onConflict === 'fail') throw documentExists(id)
  if (onConflict === 'skip') return 'skipped'
  overwriteDocument(context, collection, document)
  return 'replaced'
}

function documentExists(id: DocumentId): AppError {
  const message = `there is a document with the _id ${JSON.stringify(id)} already; nothing was saved of the import`
  return new AppError('document_exists', message)
}

/** Whether something is wrong with one document alone. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError &&
    ['document_exists', 'unique_violation', 'too_many_values'].includes(error.code)
  )
}
