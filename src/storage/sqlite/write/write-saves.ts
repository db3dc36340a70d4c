import type { DocumentId } from '../../../domain/document.ts'
import { requireCreate, requireUpdate } from '../../../domain/permitted.ts'
import { requirePrecondition } from '../../../domain/precondition.ts'
import { atDocument } from '../../../errors.ts'
import { withAssignedId } from '../../../update/make-document.ts'
import type { DocumentToSave, SaveCommand, SavedDocument } from '../../store.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { WriteContext } from './write-context.ts'
import {
  documentById,
  insertDocument,
  insertIfNew,
  overwriteDocument,
  replaceDocument,
} from './write-documents.ts'

interface Target extends Pick<SaveCommand, 'permitted' | 'precondition'> {
  readonly collection: StoredCollection
}

export function save(context: WriteContext, command: SaveCommand): SavedDocument[] {
  const { collection, documents, permitted, precondition } = command
  const { catalog } = context.connection
  if (documents.length === 0) return []
  // A single save has no savepoint to go back to, so that what can't be done must not make the collection either.
  if (catalog.collection(collection) === undefined) ofDocument(0, () => requireInsert(command))
  const target = { collection: catalog.collectionToWrite(collection), permitted, precondition }
  return documents.map((document, index) => {
    context.tally.document = index
    return ofDocument(index, () => saveOne(context, target, document))
  })
}

function ofDocument<Result>(index: number, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw atDocument(index, error)
  }
}

function saveOne(context: WriteContext, target: Target, { id, text }: DocumentToSave): SavedDocument {
  if (id !== undefined) return { created: putDocument(context, target, { id, text }) }
  requireInsert(target)
  const assignedId = context.nextUlid()
  insertDocument(context, target.collection, { id: assignedId, text: withAssignedId(text, assignedId) })
  return { assignedId, created: true }
}

/**
 * Saves a document under its id; one that was there keeps its row id in natural order. Says whether it is new. No
 * statement changes anything before a refusal.
 */
function putDocument(
  context: WriteContext,
  target: Target,
  document: { id: DocumentId; text: string },
): boolean {
  const { collection, permitted, precondition } = target
  if (precondition !== undefined) return putConditionally(context, target, document)
  if (permitted.create && insertIfNew(context, collection, document)) return true
  requireUpdate(permitted)
  if (!overwriteDocument(context, collection, document)) requireCreate(permitted)
  return false
}

/** The same where it depends on what is there, which is therefore read first. */
function putConditionally(
  context: WriteContext,
  target: Target,
  document: { id: DocumentId; text: string },
): boolean {
  const { collection, permitted, precondition } = target
  const found = documentById(context, collection, document.id)
  if (found === undefined) {
    requireInsert(target)
    insertDocument(context, collection, document)
    return true
  }
  requireUpdate(permitted)
  requirePrecondition(precondition, found.text)
  replaceDocument(context, collection, { rowId: found.rowId, before: found.text, after: document.text })
  return false
}

/** For a save that finds no document. */
function requireInsert({ permitted, precondition }: Pick<SaveCommand, 'permitted' | 'precondition'>): void {
  requireCreate(permitted)
  requirePrecondition(precondition, undefined)
}
