import type { DocumentId } from '../../domain/document.ts'
import type { DocumentToSave, Permitted, SaveCommand, SavedDocument } from '../store.ts'
import type { StoredCollection } from './catalog.ts'
import type { WriteContext } from './write-context.ts'
import { insertDocument, insertIfNew, replaceDocument } from './write-documents.ts'
import { requireCreate, requireUpdate } from './write-permission.ts'

interface Target {
  readonly collection: StoredCollection
  readonly permitted: Permitted
}

export function save(context: WriteContext, command: SaveCommand): SavedDocument[] {
  const { collection, documents, permitted } = command
  const { catalog } = context.connection
  if (documents.length === 0) return []
  // A single save has no savepoint to go back to, so that what can't be done must not make the collection either.
  if (!permitted.create && catalog.collection(collection) === undefined) requireCreate(permitted)
  const target = { collection: catalog.collectionToWrite(collection), permitted }
  return documents.map((document) => saveOne(context, target, document))
}

function saveOne(context: WriteContext, target: Target, { id, text }: DocumentToSave): SavedDocument {
  if (id !== undefined) return { created: putDocument(context, target, { id, text }) }
  requireCreate(target.permitted)
  const assignedId = context.nextUlid()
  const rest = text === '{}' ? '}' : `,${text.slice(1)}`
  insertDocument(context, target.collection, { id: assignedId, text: `{"_id":"${assignedId}"${rest}` })
  return { assignedId, created: true }
}

/**
 * Saves a document under its id; one that was there keeps its place in natural order. Says whether it is new. No
 * statement changes anything before a refusal.
 */
function putDocument(
  context: WriteContext,
  { collection, permitted }: Target,
  document: { id: DocumentId; text: string },
): boolean {
  if (permitted.create && insertIfNew(context, collection, document)) return true
  requireUpdate(permitted)
  if (!overwrite(context, collection, document)) requireCreate(permitted)
  return false
}

/** Says whether there was a document with the id. */
function overwrite(
  context: WriteContext,
  collection: StoredCollection,
  { id, text }: { id: DocumentId; text: string },
): boolean {
  const { app, changes, connection } = context
  const { table } = collection
  const isWatched = changes.of(app, collection) !== undefined
  // Otherwise nothing has to know what was there, and where.
  if (!isWatched && connection.catalog.indexesOf(collection).length === 0)
    return connection.run(`UPDATE ${table} SET doc = jsonb(?) WHERE id = ?`, text, id) > 0
  const row = connection.row<[number, string]>(`SELECT seq, json(doc) FROM ${table} WHERE id = ?`, id)
  if (row === undefined) return false
  replaceDocument(context, collection, { place: row[0], before: row[1], after: text })
  return true
}
