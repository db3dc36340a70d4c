import type { DocumentId } from '../../domain/document.ts'
import type { DocumentToSave, SaveCommand, SavedDocument } from '../store.ts'
import type { WriteContext } from './write-context.ts'

export function save(context: WriteContext, { collection, documents }: SaveCommand): SavedDocument[] {
  if (documents.length === 0) return []
  const table = context.connection.tableToWrite(collection)
  return documents.map((document) => saveOne(context, table, document))
}

function saveOne(context: WriteContext, table: string, { id, text }: DocumentToSave): SavedDocument {
  if (id !== undefined) return { created: putDocument(context, table, { id, text }) }
  const assignedId = context.nextUlid()
  const rest = text === '{}' ? '}' : `,${text.slice(1)}`
  insert(context, table, { id: assignedId, text: `{"_id":"${assignedId}"${rest}` })
  return { assignedId, created: true }
}

/** Saves a document under its id; one that was there keeps its place in natural order. Says whether it is new. */
function putDocument(
  context: WriteContext,
  table: string,
  document: { id: DocumentId; text: string },
): boolean {
  const { connection } = context
  const sql = `INSERT INTO ${table} (seq, id, doc) VALUES (?, ?, jsonb(?)) ON CONFLICT (id) DO NOTHING`
  if (connection.run(sql, connection.nextPlace(table), document.id, document.text) === 1) return true
  connection.run(`UPDATE ${table} SET doc = jsonb(?) WHERE id = ?`, document.text, document.id)
  return false
}

export function insert(
  { connection }: WriteContext,
  table: string,
  { id, text }: { id: DocumentId; text: string },
): void {
  const sql = `INSERT INTO ${table} (seq, id, doc) VALUES (?, ?, jsonb(?))`
  connection.run(sql, connection.nextPlace(table), id, text)
}
