import { AppError } from '../../../errors.ts'
import { storedDocument } from '../../../json/stored.ts'
import type { JsonObject } from '../../../json/value.ts'
import type { StoredCollection, StoredIndex } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { keyColumn } from '../files/schema.ts'
import { type DocumentEntries, ENTRY, entriesOf, haveSameEntries, type IndexEntry } from './index-keys.ts'

const NO_ENTRIES: DocumentEntries = { entries: [], multikey: 0, isOverflow: false }

/** A document before and after a write, as JSON; undefined where it doesn't exist. */
export interface DocumentChange {
  readonly rowId: number
  readonly before?: string
  readonly after?: string
  /** Both taken apart, where that was done already. */
  readonly parsed?: { readonly before: JsonObject; readonly after: JsonObject }
}

/** Keys that a document took in a unique index. */
export interface TakenKeys {
  readonly index: StoredIndex
  readonly keys: readonly Uint8Array[]
  readonly rowId: number
  /** Which document of a save took them, from 0. */
  readonly document: number | undefined
}

/** What a write has to do with indexes. */
interface IndexingContext {
  readonly connection: Connection
  /** Grows by the keys that have to be looked at when the whole write is done (`checkUnique`). */
  readonly tally: { readonly taken: TakenKeys[]; readonly document?: number }
}

/**
 * Brings the indexes of a collection in line with a change to one of its documents.
 * @throws AppError `too_many_values`
 */
export function changeIndexes(
  context: IndexingContext,
  collection: StoredCollection,
  { rowId, before, after, parsed }: DocumentChange,
): void {
  const indexes = context.connection.catalog.indexesOf(collection).filter((index) => holds(index, rowId))
  if (indexes.length === 0) return
  const old = parsed?.before ?? parsedDocument(before)
  const fresh = parsed?.after ?? parsedDocument(after)
  for (const index of indexes) {
    if (old !== undefined && fresh !== undefined && haveSameEntries(old, fresh, index.fields)) continue
    const oldEntries = old === undefined ? NO_ENTRIES : entriesOf(old, index.fields)
    const newEntries = fresh === undefined ? NO_ENTRIES : entriesOf(fresh, index.fields)
    changeEntries(context, index, { rowId, oldEntries, newEntries })
  }
}

function parsedDocument(text: string | undefined): JsonObject | undefined {
  return text === undefined ? undefined : storedDocument(text)
}

/** Whether an index holds the document at a row id already; one that is being built comes to the rest later. */
function holds({ state, builtTo }: StoredIndex, rowId: number): boolean {
  return state === 'ready' || (state === 'building' && rowId <= builtTo)
}

function changeEntries(
  { connection, tally }: IndexingContext,
  index: StoredIndex,
  change: { rowId: number; oldEntries: DocumentEntries; newEntries: DocumentEntries },
): void {
  const { rowId, oldEntries, newEntries } = change
  const kept = commonEntries(oldEntries.entries, newEntries.entries)
  for (const entry of oldEntries.entries) if (!kept.has(entry)) removeEntry(connection, index, rowId, entry)
  noteShape(connection, index, newEntries)
  for (const entry of newEntries.entries) {
    if (kept.has(entry)) continue
    insertEntry(connection, index, rowId, entry)
    if (isTaking(index, entry)) tally.taken.push({ index, keys: entry.keys, rowId, document: tally.document })
  }
}

/**
 * Looks whether a document could be saved at a row id, before anything is changed: whether its values in unique indexes
 * are free, or its own.
 * @throws AppError `unique_violation`, `too_many_values`
 */
export function requireFree(
  connection: Connection,
  collection: StoredCollection,
  { rowId, text }: { readonly rowId: number; readonly text: string },
): void {
  const isAsked = (index: StoredIndex): boolean => index.isUnique && holds(index, rowId)
  const indexes = connection.catalog.indexesOf(collection).filter(isAsked)
  if (indexes.length === 0) return
  const document = storedDocument(text)
  for (const index of indexes) {
    const { entries, isOverflow } = entriesOf(document, index.fields)
    if (isOverflow) throw tooManyValues(index)
    for (const entry of entries)
      if (
        isTaking(index, entry) &&
        ownersOf(connection, { index, ...entry }).some((owner) => owner !== rowId)
      )
        throw uniqueViolation(index, undefined)
  }
}

/** The entries of both lists that are the same. */
function commonEntries(before: readonly IndexEntry[], after: readonly IndexEntry[]): ReadonlySet<IndexEntry> {
  const common = new Set<IndexEntry>()
  if (before.length === 0 || after.length === 0) return common
  const byKeys = new Map(before.map((entry) => [textOf(entry), entry]))
  for (const entry of after) {
    const same = byKeys.get(textOf(entry))
    if (same?.flags !== entry.flags) continue
    common.add(same).add(entry)
  }
  return common
}

function textOf({ keys }: Pick<IndexEntry, 'keys'>): string {
  return keys.map((key) => Buffer.from(key).toString('latin1')).join('\u{100}')
}

/** Adds a document that the index doesn't hold yet. @throws AppError `too_many_values` */
export function addEntries(
  connection: Connection,
  index: StoredIndex,
  { rowId, entries }: { rowId: number; entries: DocumentEntries },
): void {
  noteShape(connection, index, entries)
  for (const entry of entries.entries) insertEntry(connection, index, rowId, entry)
}

/** Keeps in mind that documents give several keys, or too many, for look-ups have to know. */
function noteShape(
  connection: Connection,
  index: StoredIndex,
  { multikey, isOverflow }: DocumentEntries,
): void {
  if (isOverflow && index.isUnique) throw tooManyValues(index)
  if ((index.multikey | multikey) === index.multikey && (index.hasOverflow || !isOverflow)) return
  index.multikey |= multikey
  index.hasOverflow ||= isOverflow
  connection.run(
    'UPDATE indexes SET multikey = ?, has_apart = ? WHERE id = ?',
    index.multikey,
    index.hasOverflow ? 1 : 0,
    index.id,
  )
}

function insertEntry(connection: Connection, index: StoredIndex, rowId: number, entry: IndexEntry): void {
  const sql = `INSERT INTO ${index.table} VALUES (${'?, '.repeat(index.fields.length)}?, ?)`
  connection.run(sql, ...entry.keys, rowId, entry.flags)
}

function removeEntry(connection: Connection, index: StoredIndex, rowId: number, entry: IndexEntry): void {
  connection.run(`DELETE FROM ${index.table} WHERE ${sameKeys(index)} AND place = ?`, ...entry.keys, rowId)
}

/** Whether no other document may have the keys of an entry. */
export function isTaking({ isUnique }: StoredIndex, { flags }: IndexEntry): boolean {
  return isUnique && (flags & ENTRY.unique) !== 0
}

/**
 * Looks whether each of the keys that a write took has one owner.
 * @throws AppError `unique_violation`
 */
export function checkUnique(connection: Connection, taken: readonly TakenKeys[]): void {
  for (const { index, keys } of taken)
    if (ownersOf(connection, { index, keys }).length > 1)
      throw uniqueViolation(index, lastToTake(connection, taken, { index, keys }))
}

/** Of those that have the keys now, the one that took them last: before it all was well. */
function lastToTake(
  connection: Connection,
  taken: readonly TakenKeys[],
  { index, keys }: OwnedKeys,
): number | undefined {
  const owners = new Set(ownersOf(connection, { index, keys }, taken.length + 1))
  const text = textOf({ keys })
  return taken.findLast(
    (each) => each.index.id === index.id && owners.has(each.rowId) && textOf(each) === text,
  )?.document
}

type OwnedKeys = Pick<TakenKeys, 'index' | 'keys'>

/** The row ids of some documents that have these keys. */
export function ownersOf(connection: Connection, { index, keys }: OwnedKeys, limit = 2): number[] {
  const sql = `SELECT place FROM ${index.table} WHERE ${sameKeys(index)} AND flags & ${ENTRY.unique} <> 0 LIMIT ?`
  return (connection.prepare(sql).all(...keys, limit) as unknown as [number][]).map(([rowId]) => rowId)
}

function sameKeys({ fields }: StoredIndex): string {
  return fields.map((_, field) => `${keyColumn(field)} = ?`).join(' AND ')
}

export function uniqueViolation(index: StoredIndex, documentIndex: number | undefined): AppError {
  return new AppError(
    'unique_violation',
    `another document has the same ${fieldNames(index)}, and the unique index ${JSON.stringify(index.name)} allows no two; nothing was written`,
    documentIndex === undefined ? undefined : { documentIndex },
  )
}

function tooManyValues(index: StoredIndex): AppError {
  return new AppError(
    'too_many_values',
    `the document has too many values of ${fieldNames(index)} for the unique index ${JSON.stringify(index.name)}`,
  )
}

function fieldNames({ fields }: StoredIndex): string {
  return fields.map(({ path }) => JSON.stringify(path.join('.'))).join(' and ')
}
