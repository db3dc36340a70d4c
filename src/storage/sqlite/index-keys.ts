import { orderKey } from '../../json/order-key.ts'
import type { Path } from '../../json/path.ts'
import type { JsonObject, JsonValue } from '../../json/value.ts'
import type { SortField } from '../../query/ast.ts'
import { someValueAt } from '../../query/walk.ts'

/** What an entry stands for beside its keys; a set of bits, with those of `realField`. */
export const ENTRY = {
  /** The document's place in the index's own order: exactly one entry of each document has it. */
  forward: 1,
  /** The document's place in the opposite order: exactly one entry of each document has it. */
  reverse: 2,
  /** No other document may have the same keys, where the index is unique. */
  unique: 4,
} as const

/**
 * The bit that says that a condition which the key of this field meets holds for the document. Other keys only give
 * a document without values a place in an order.
 */
export function realField(field: number): number {
  return 8 << field
}

/** Entries, and bytes of their keys, that one document may have in an index before it is kept apart. */
const DOCUMENT_ENTRIES = 1000
const DOCUMENT_BYTES = 2 * 1024 * 1024

/** Greater than every key: the first key of a document that is kept apart, which every look-up has to consider. */
export const APART_KEY: Uint8Array = Uint8Array.of(0xff)
const EMPTY_KEY = new Uint8Array(0)

export interface IndexEntry {
  /** An order key for each field. */
  readonly keys: readonly Uint8Array[]
  readonly flags: number
}

/** All that an index holds of one document. */
export interface DocumentEntries {
  readonly entries: readonly IndexEntry[]
  /** Bit n is set where the document gives more than one key for field n. */
  readonly multikey: number
  /** Whether the document has too many values: look-ups find it by `APART_KEY` alone. */
  readonly isApart: boolean
}

/**
 * The entries of a document: one for each value that a condition on the field could meet, as `query/match.ts` walks
 * to them. So a document that matches always has an entry within the condition's bounds, and the entries marked
 * `forward` and `reverse` stand in the order of `query/sort.ts`.
 */
export function entriesOf(document: JsonObject, fields: readonly SortField[]): DocumentEntries {
  const perField = fields.map((field) => fieldKeys(document, field))
  if (perField.every((keys) => keys.length === 1))
    return { entries: [combined(perField.map((keys) => keys[0]!))], multikey: 0, isApart: false }
  const multikey = perField.reduce((bits, keys, field) => (keys.length > 1 ? bits | (1 << field) : bits), 0)
  if (isTooMuch(perField)) return { entries: entriesApart(perField), multikey, isApart: true }
  return { entries: combinations(perField).map(combined), multikey, isApart: false }
}

interface FieldKey {
  readonly key: Uint8Array
  /** Of `ENTRY`. */
  flags: number
  isReal: boolean
}

const EVERY_FLAG = ENTRY.forward | ENTRY.reverse | ENTRY.unique

function fieldKeys(document: JsonObject, { path, direction }: SortField): FieldKey[] {
  const values = valuesAt(document, path)
  if (values.length === 1 && !Array.isArray(values[0])) return [keyOf(values[0])]
  return manyKeys(values, direction)
}

function keyOf(value: JsonValue | undefined): FieldKey {
  const flags = value === undefined ? EVERY_FLAG & ~ENTRY.unique : EVERY_FLAG
  return { key: orderKey(value), flags, isReal: true }
}

/** Every value that the path leads to, undefined for a missing one. */
function valuesAt(document: JsonObject, path: Path): (JsonValue | undefined)[] {
  if (path.length === 1) return [document.get(path[0]!)]
  const values: (JsonValue | undefined)[] = []
  someValueAt(document, path, (value) => {
    values.push(value)
    return false
  })
  return values
}

function manyKeys(values: readonly (JsonValue | undefined)[], direction: 1 | -1): FieldKey[] {
  const byKey = new Map<string, FieldKey>()
  const add = (key: Uint8Array, flags: number, isReal: boolean): void => {
    const text = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
    const known = byKey.get(text)
    if (known === undefined) byKey.set(text, { key, flags, isReal })
    else {
      known.flags |= flags
      known.isReal ||= isReal
    }
  }
  const ordered: Uint8Array[] = []
  const consider = (value: JsonValue | undefined): void => {
    const key = orderKey(value)
    ordered.push(key)
    add(key, value === undefined ? 0 : ENTRY.unique, true)
  }
  for (const value of values) {
    if (!Array.isArray(value)) consider(value)
    else {
      add(orderKey(value), 0, true)
      value.forEach(consider)
    }
  }
  // Where nothing is to be ordered, a missing value stands for the document.
  if (ordered.length === 0) ordered.push(orderKey(undefined))
  const [least, greatest] = extremes(ordered)
  add(least, direction === 1 ? ENTRY.forward : ENTRY.reverse, false)
  add(greatest, direction === 1 ? ENTRY.reverse : ENTRY.forward, false)
  return [...byKey.values()]
}

function extremes(keys: readonly Uint8Array[]): [least: Uint8Array, greatest: Uint8Array] {
  let least = keys[0]!
  let greatest = least
  for (const key of keys) {
    if (Buffer.compare(key, least) < 0) least = key
    if (Buffer.compare(key, greatest) > 0) greatest = key
  }
  return [least, greatest]
}

function isTooMuch(perField: readonly (readonly FieldKey[])[]): boolean {
  const entries = perField.reduce((product, keys) => product * keys.length, 1)
  if (entries > DOCUMENT_ENTRIES) return true
  const bytes = perField.reduce(
    (sum, keys) =>
      sum + (entries / keys.length) * keys.reduce((length, { key }) => length + key.byteLength, 0),
    0,
  )
  return bytes > DOCUMENT_BYTES
}

/** The document's places in the two orders, and the mark that it has to be looked at. */
function entriesApart(perField: readonly (readonly FieldKey[])[]): IndexEntry[] {
  const of = (bit: number): Uint8Array[] =>
    perField.map((keys) => keys.find(({ flags }) => (flags & bit) !== 0)!.key)
  const forward = of(ENTRY.forward)
  const reverse = of(ENTRY.reverse)
  const mark = { keys: [APART_KEY, ...perField.slice(1).map(() => EMPTY_KEY)], flags: 0 }
  const isSame = forward.every((key, field) => Buffer.compare(key, reverse[field]!) === 0)
  if (isSame) return [mark, { keys: forward, flags: ENTRY.forward | ENTRY.reverse }]
  return [mark, { keys: forward, flags: ENTRY.forward }, { keys: reverse, flags: ENTRY.reverse }]
}

function combinations(perField: readonly (readonly FieldKey[])[]): FieldKey[][] {
  return perField.reduce<FieldKey[][]>(
    (before, keys) => before.flatMap((start) => keys.map((key) => [...start, key])),
    [[]],
  )
}

/** An entry is what all of its keys are; each field says for itself whether its key is real. */
function combined(keys: readonly FieldKey[]): IndexEntry {
  const shared = keys.reduce((flags, key) => flags & key.flags, EVERY_FLAG)
  return {
    keys: keys.map(({ key }) => key),
    flags: keys.reduce((flags, { isReal }, field) => (isReal ? flags | realField(field) : flags), shared),
  }
}
