import { randomUUID } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { documentId, idValue } from '../../json/document-id.ts'
import { documentTooLarge, parseJson } from '../../json/exact.ts'
import { stringify } from '../../json/stringify.ts'
import type { JsonObject, JsonValue } from '../../json/value.ts'
import { applyUpdate, insertFromUpdate } from '../../update/apply.ts'
import type { PlaceholderSource, Update } from '../../update/ast.ts'
import { seedFromFilter } from '../../update/seed.ts'
import type { UpdatedDocument, UpdateManyCommand, UpdateManyResult, UpdateOneCommand } from '../store.ts'
import { compileFilter, IN_TIME } from './compile-filter.ts'
import { checkDeadline, type WriteContext } from './write-context.ts'
import { requireCreate, requireUpdate } from './write-permission.ts'
import { insert } from './write-saves.ts'

const STORED = { nestingLevels: Number.POSITIVE_INFINITY }

interface Change {
  readonly update: Update
  readonly now: number
}

export function updateOne(context: WriteContext, command: UpdateOneCommand): UpdatedDocument {
  const { connection } = context
  const table = connection.tableToWrite(command.collection)
  for (const id of command.ids) {
    const row = connection.row<[number, string]>(`SELECT seq, json(doc) FROM ${table} WHERE id = ?`, id)
    if (row === undefined) continue
    // Before the update is tried, for whether it can be applied tells about the document.
    requireUpdate(command.permitted)
    const text = changed(context, row[1], command)
    if (text !== row[1]) writeAt(context, table, row[0], text)
    return { text, created: false }
  }
  requireCreate(command.permitted)
  const seed: JsonObject = new Map([['_id', idValue(command.createId)]])
  return { text: insertUpserted(context, table, seed, command), created: true }
}

export function updateMany(context: WriteContext, command: UpdateManyCommand): UpdateManyResult {
  const { connection } = context
  const table = connection.table(command.collection)
  const places = table === undefined ? [] : matchingPlaces(context, table, command)
  if (places.length === 0) return command.upsert ? upsert(context, command) : NONE_MATCHED
  let modified = 0
  for (const place of places) {
    checkDeadline(context.deadline)
    const [before] = connection.row<[string]>(`SELECT json(doc) FROM ${table} WHERE seq = ?`, place)!
    const after = changed(context, before, command)
    if (after === before) continue
    writeAt(context, table!, place, after)
    modified++
  }
  return { matched: places.length, modified, created: 0 }
}

const NONE_MATCHED: UpdateManyResult = { matched: 0, modified: 0, created: 0 }

/** Found before anything changes, so that no document is met twice. */
function matchingPlaces(
  { connection, deadline }: WriteContext,
  table: string,
  command: UpdateManyCommand,
): number[] {
  const filter = compileFilter(command.filter)
  connection.functions.bind({ conditions: filter.conditions, sort: [], deadline })
  const sql = `SELECT seq FROM ${table} WHERE ${filter.text} AND ${IN_TIME} ORDER BY seq LIMIT ?`
  const places: number[] = []
  connection.withStatement(sql, (statement) => {
    const rows = statement.iterate(...filter.parameters, command.multi ? -1 : 1)
    for (const row of rows as unknown as Iterable<[number]>) places.push(row[0])
  })
  return places
}

function upsert(context: WriteContext, command: UpdateManyCommand): UpdateManyResult {
  const table = context.connection.tableToWrite(command.collection)
  insertUpserted(context, table, seedFromFilter(command.filter, command.update.kind), command)
  return { matched: 0, modified: 0, created: 1 }
}

function insertUpserted(
  context: WriteContext,
  table: string,
  seed: JsonObject,
  { update, now }: Change,
): string {
  const { limits } = context
  const made = insertFromUpdate({ seed, update, placeholders: placeholders(context, now), limits })
  const document = made.has('_id') ? made : new Map<string, JsonValue>([['_id', context.nextUlid()], ...made])
  const id = documentId(document.get('_id')!)
  const text = checkedText(context, document)
  if (context.connection.row(`SELECT 1 FROM ${table} WHERE id = ?`, id) !== undefined)
    throw new AppError(
      'update_not_applicable',
      'nothing matches q, yet a document with the _id of the new one exists: it matches the _id, not the rest',
    )
  insert(context, table, { id, text })
  return text
}

function changed(context: WriteContext, before: string, { update, now }: Change): string {
  const document = parseJson(before, STORED) as JsonObject
  const { limits } = context
  return checkedText(
    context,
    applyUpdate({ document, update, placeholders: placeholders(context, now), limits }),
  )
}

function checkedText({ limits }: WriteContext, document: JsonObject): string {
  const text = stringify(document)
  if (text.length * 3 > limits.documentBytes && Buffer.byteLength(text) > limits.documentBytes)
    throw documentTooLarge(limits.documentBytes)
  return text
}

function writeAt({ connection }: WriteContext, table: string, place: number, text: string): void {
  connection.run(`UPDATE ${table} SET doc = jsonb(?) WHERE seq = ?`, text, place)
}

function placeholders({ nextUlid, serviceNames }: WriteContext, now: number): PlaceholderSource {
  return { now, unique: nextUlid, uuid: randomUUID, serviceNames }
}
