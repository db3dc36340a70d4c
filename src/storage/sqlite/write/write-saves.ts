import type { DocumentId } from '../../../domain/document.ts'
import { type Permitted, requireCreate, requireUpdate } from '../../../domain/permitted.ts'
import { atDocument } from '../../../errors.ts'
import { withAssignedId } from '../../../update/make-document.ts'
import type { DocumentToSave, SaveCommand, SavedDocument } from '../../store.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { WriteContext } from './write-context.ts'
import { insertDocument, insertIfNew, overwriteDocument } from './write-documents.ts'

interface Target {
  readonly collection: StoredCollection
  readonly permitted: Permitted
}

export function save(context: WriteContext, command: SaveCommand): SavedDocument[] {
  const { collection, documents, permitted } = command
  const { catalog } = context.connection
  if (documents.length === 0) return []
  // A single save has no savepoint to go back to, so that what can't be done must not make the collection either.
  if (!permitted.create && catalog.collection(collection) === undefined)
    ofDocument(0, () => requireCreate(permitted))
  const target = { collection: catalog.collectionToWrite(collection), permitted }
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
  requireCreate(target.permitted)
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
  { collection, permitted }: Target,
  document: { id: DocumentId; text: string },
): boolean {
  if (permitted.create && insertIfNew(context, collection, document)) return true
  requireUpdate(permitted)
  if (!overwriteDocument(context, collection, document)) requireCreate(permitted)
  return false
}
