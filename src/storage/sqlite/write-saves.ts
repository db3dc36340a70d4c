import type { DocumentId } from '../../domain/document.ts'
import type { DocumentToSave, Permitted, SaveCommand, SavedDocument } from '../store.ts'
import type { WriteContext } from './write-context.ts'
import { requireCreate, requireUpdate } from './write-permission.ts'

interface Target {
  readonly table: string
  readonly permitted: Permitted
}

export function save(context: WriteContext, command: SaveCommand): SavedDocument[] {
  const { collection, documents, permitted } = command
  if (documents.length === 0) return []
  // A single save has no savepoint to go back to, so that what can't be done must not make the collection either.
  if (!permitted.create && context.connection.table(collection) === undefined) requireCreate(permitted)
  const target = { table: context.connection.tableToWrite(collection), permitted }
  return documents.map((document) => saveOne(context, target, document))
}

function saveOne(context: WriteContext, target: Target, { id, text }: DocumentToSave): SavedDocument {
  if (id !== undefined) return { created: putDocument(context, target, { id, text }) }
  requireCreate(target.permitted)
  const assignedId = context.nextUlid()
  const rest = text === '{}' ? '}' : `,${text.slice(1)}`
  insert(context, target.table, { id: assignedId, text: `{"_id":"${assignedId}"${rest}` })
  return { assignedId, created: true }
}

/**
 * Saves a document under its id; one that was there keeps its place in natural order. Says whether it is new. No
 * statement changes anything before a refusal.
 */
function putDocument(
  { connection }: WriteContext,
  { table, permitted }: Target,
  { id, text }: { id: DocumentId; text: string },
): boolean {
  if (permitted.create) {
    const sql = `INSERT INTO ${table} (seq, id, doc) VALUES (?, ?, jsonb(?)) ON CONFLICT (id) DO NOTHING`
    const place = connection.nextPlace(table)
    if (connection.run(sql, place, id, text) === 1) {
      connection.takePlace(table, place)
      return true
    }
  }
  requireUpdate(permitted)
  const updated = connection.run(`UPDATE ${table} SET doc = jsonb(?) WHERE id = ?`, text, id)
  if (updated === 0) requireCreate(permitted)
  return false
}

export function insert(
  { connection }: WriteContext,
  table: string,
  { id, text }: { id: DocumentId; text: string },
): void {
  const sql = `INSERT INTO ${table} (seq, id, doc) VALUES (?, ?, jsonb(?))`
  const place = connection.nextPlace(table)
  connection.run(sql, place, id, text)
  connection.takePlace(table, place)
}
