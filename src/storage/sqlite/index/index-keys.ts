import { compareValues, equalValues } from '../../../json/compare.ts'
import { equalityKey, orderKey } from '../../../json/order-key.ts'
import type { Path } from '../../../json/path.ts'
import type { JsonObject, JsonValue } from '../../../json/value.ts'
import type { SortField } from '../../../query/ast.ts'
import { someValueAt } from '../../../query/walk.ts'

/** What an entry stands for beside its keys; a set of bits, with those of `realField`. */
export const ENTRY = {
  /** The document's position in the index's own order: exactly one entry of each document has it. */
  forward: 1,
  /** The document's position in the opposite order: exactly one entry of each document has it. */
  reverse: 2,
  /** No other document may have the same keys, where the index is unique. */
  unique: 4,
} as const

/**
 * The bit that says that a condition which the key of this field meets holds for the document. Other keys only give
 * a document without values a position in an order.
 */
export function realField(field: number): number {
  return 8 << field
}

/** Entries, and bytes of their keys, that one document may have in an index before it is kept apart. */
const DOCUMENT_ENTRIES = 1000
const DOCUMENT_BYTES = 2 * 1024 * 1024

/** Greater than every key: the first key of a document that is kept apart, which every look-up has to consider. */
export const OVERFLOW_KEY: Uint8Array = Uint8Array.of(0xff)
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
  readonly isOverflow: boolean
}

/**
 * The entries of a document: one for each value that a condition on the field could meet, as `query/match.ts` walks
 * to them. So a document that matches always has an entry within the condition's bounds, and the entries marked
 * `forward` and `reverse` stand in the order of `query/sort.ts`.
 */
export function entriesOf(document: JsonObject, fields: readonly SortField[]): DocumentEntries {
  const found = fields.map((field) => fieldKeys(document, field))
  const perField = found.map(({ keys }) => keys)
  const multikey = found.reduce((bits, keys, field) => (isSingle(keys) ? bits : bits | (1 << field)), 0)
  if (multikey === 0)
    return { entries: [combined(perField.map((keys) => keys[0]!))], multikey, isOverflow: false }
  if (found.some(({ isTooMuch }) => isTooMuch) || isTooMuch(perField))
    return { entries: overflowEntries(perField), multikey, isOverflow: true }
  return { entries: combinations(perField).map(combined), multikey, isOverflow: false }
}

/** Whether two documents have the same entries, found out without making them; false where it is not clear. */
export function haveSameEntries(one: JsonObject, other: JsonObject, fields: readonly SortField[]): boolean {
  return fields.every(({ path }) => isSameAlong(one, other, path))
}

/** Looks at no more than the path leads through, up to the first array. */
function isSameAlong(one: JsonObject, other: JsonObject, path: Path): boolean {
  let [a, b]: (JsonValue | undefined)[] = [one, other]
  for (const part of path) {
    if (!(a instanceof Map && b instanceof Map)) break
    a = a.get(part)
    b = b.get(part)
  }
  // A missing value equals null, yet gives another entry.
  return (a === undefined) === (b === undefined) && equalValues(a, b)
}

interface FieldKey {
  readonly key: Uint8Array
  /** Of `ENTRY`. */
  flags: number
  isReal: boolean
}

interface FieldKeys {
  readonly keys: readonly FieldKey[]
  /** Whether there are more than a document may have; `keys` are then those of the two orders alone. */
  readonly isTooMuch: boolean
}

const EVERY_FLAG = ENTRY.forward | ENTRY.reverse | ENTRY.unique

function isSingle({ keys, isTooMuch }: FieldKeys): boolean {
  return keys.length === 1 && !isTooMuch
}

function fieldKeys(document: JsonObject, { path, direction }: SortField): FieldKeys {
  const values = valuesAt(document, path)
  if (values.length === 1 && !Array.isArray(values[0])) return { keys: [keyOf(values[0])], isTooMuch: false }
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

/** Makes no more keys than a document may have, for a document may have a hundred thousand values. */
function manyKeys(values: readonly (JsonValue | undefined)[], direction: 1 | -1): FieldKeys {
  const elements = values.flatMap((value) => (Array.isArray(value) ? value : [value]))
  const found = new KeyList()
  for (const value of elements) {
    if (found.isTooMuch()) break
    found.add(value, { flags: value === undefined ? 0 : ENTRY.unique, isReal: true })
  }
  for (const value of values) {
    if (found.isTooMuch()) break
    if (Array.isArray(value)) found.add(value, { flags: 0, isReal: true })
  }
  // Where nothing is to be ordered, a missing value stands for the document.
  const [least, greatest] = extremes(elements)
  const [first, last] = direction === 1 ? [least, greatest] : [greatest, least]
  const keys = found.isTooMuch() ? new KeyList() : found
  keys.add(first, { flags: ENTRY.forward, isReal: false })
  keys.add(last, { flags: ENTRY.reverse, isReal: false })
  return { keys: keys.all(), isTooMuch: found.isTooMuch() }
}

/** The different keys of one field, each once. */
class KeyList {
  private readonly known = new Map<string | number | bigint, FieldKey>()
  private bytes = 0

  add(value: JsonValue | undefined, { flags, isReal }: Omit<FieldKey, 'key'>): void {
    const ordered = typeof value === 'object' ? orderKey(value) : undefined
    const name = equalityKey(value, ordered)
    const same = this.known.get(name)
    if (same !== undefined) {
      same.flags |= flags
      same.isReal ||= isReal
      return
    }
    const key = ordered ?? orderKey(value)
    this.known.set(name, { key, flags, isReal })
    this.bytes += key.byteLength
  }

  /** Whether the document has too much, whatever else it has. */
  isTooMuch(): boolean {
    const { size } = this.known
    return size > DOCUMENT_ENTRIES || (size > 1 && this.bytes > DOCUMENT_BYTES)
  }

  all(): FieldKey[] {
    return [...this.known.values()]
  }
}

function extremes(
  values: readonly (JsonValue | undefined)[],
): [least: JsonValue | undefined, greatest: JsonValue | undefined] {
  let least = values[0]
  let greatest = least
  for (const value of values) {
    if (compareValues(value, least) < 0) least = value
    else if (compareValues(value, greatest) > 0) greatest = value
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

/** The document's positions in the two orders, and the mark that it has to be looked at. */
function overflowEntries(perField: readonly (readonly FieldKey[])[]): IndexEntry[] {
  const of = (bit: number): Uint8Array[] =>
    perField.map((keys) => keys.find(({ flags }) => (flags & bit) !== 0)!.key)
  const forward = of(ENTRY.forward)
  const reverse = of(ENTRY.reverse)
  const mark = { keys: [OVERFLOW_KEY, ...perField.slice(1).map(() => EMPTY_KEY)], flags: 0 }
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
