import type { ExactNumber, JsonArray, JsonObject, JsonValue } from './value.ts'
import { quantity } from './value.ts'

/**
 * The place of a value's type in the one order of all values. A missing value ranks as null; the two booleans
 * are one type for range operators and two places in the order.
 */
export const RANK = { null: 0, number: 1, text: 2, object: 3, array: 4, false: 5, true: 6 } as const

export type Rank = (typeof RANK)[keyof typeof RANK]

export function rankOf(value: JsonValue | undefined): Rank {
  switch (typeof value) {
    case 'undefined':
      return RANK.null
    case 'number':
      return RANK.number
    case 'string':
      return RANK.text
    case 'boolean':
      return value ? RANK.true : RANK.false
    default:
      if (value === null) return RANK.null
      if (Array.isArray(value)) return RANK.array
      return value instanceof Map ? RANK.object : RANK.number
  }
}

/** Whether a range operator with the one value as its operand looks at the other at all. */
export function areComparable(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return Math.min(rankOf(a), RANK.false) === Math.min(rankOf(b), RANK.false)
}

/**
 * The one order of all values (decisions.md, Queries): missing and null < numbers < text < objects < arrays <
 * false < true. Zero means equal: objects with equal members in any order are, and so are `1` and `1.0`.
 */
export function compareValues(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const rank = rankOf(a)
  const difference = rank - rankOf(b)
  if (difference !== 0) return difference
  switch (rank) {
    case RANK.number:
      return compareNumbers(a as number | ExactNumber, b as number | ExactNumber)
    case RANK.text:
      return compareText(a as string, b as string)
    case RANK.object:
      return compareObjects(a as JsonObject, b as JsonObject)
    case RANK.array:
      return compareArrays(a as JsonArray, b as JsonArray)
    default:
      return 0
  }
}

/** Whether `compareValues` gives zero, without putting members in order. */
export function equalValues(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b)
  if (a instanceof Map) return b instanceof Map && equalObjects(a, b)
  return compareValues(a, b) === 0
}

function equalArrays(a: JsonArray, b: JsonArray): boolean {
  return a.length === b.length && a.every((element, at) => equalValues(element, b[at]))
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) if (!b.has(key) || !equalValues(value, b.get(key))) return false
  return true
}

function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  const x = quantity(a)
  const y = quantity(b)
  return x < y ? -1 : x > y ? 1 : 0
}

function compareArrays(a: JsonArray, b: JsonArray): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const order = compareValues(a[i], b[i])
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Members in the order of their keys: the first key that differs decides, else the first value that does. */
function compareObjects(a: JsonObject, b: JsonObject): number {
  const left = sortedMembers(a)
  const right = sortedMembers(b)
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const [leftKey, leftValue] = left[i]!
    const [rightKey, rightValue] = right[i]!
    const order = compareText(leftKey, rightKey) || compareValues(leftValue, rightValue)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** An object's members ordered by key, the order in which objects are compared. */
export function sortedMembers(object: JsonObject): [string, JsonValue][] {
  return [...object].sort(([a], [b]) => compareText(a, b))
}

/**
 * Compares texts by code point, which is also the order of their UTF-8 bytes. JavaScript's own `<` compares
 * UTF-16 units and puts U+1F600 before U+FF61.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return codePointRank(x) - codePointRank(y)
  }
  return a.length - b.length
}

/** A surrogate belongs to a code point above every other unit. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
