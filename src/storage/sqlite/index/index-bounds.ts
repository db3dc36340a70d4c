import { RANK, rankOf } from '../../../json/compare.ts'
import { orderKey } from '../../../json/order-key.ts'
import type { CompareFilter, Condition, Filter, RegexFilter } from '../../../query/ast.ts'
import { literalParts } from '../../../query/regex.ts'

/** Some keys, each once. */
export interface KeyPoints {
  readonly points: readonly Uint8Array[]
}

/** All keys from `low` up to, and without, `high`. */
export interface KeyRange {
  readonly low: Uint8Array
  readonly high: Uint8Array
}

/** Keys that a condition lets through. */
export type KeyBounds = KeyPoints | KeyRange

export interface ConditionBounds {
  readonly bounds: KeyBounds
  /** Whether the condition holds for every value within, so that the document needn't be looked at. */
  readonly isExact: boolean
}

const END = Uint8Array.of(0)

/** The conditions that all have to hold, and whether they are the whole filter. */
export function conditionsOf(filter: Filter): { conditions: readonly Condition[]; isWhole: boolean } {
  if (filter.kind === 'not') return { conditions: [], isWhole: false }
  if (filter.kind !== 'and') return { conditions: [filter], isWhole: true }
  const parts = filter.filters.map(conditionsOf)
  return {
    conditions: parts.flatMap(({ conditions }) => conditions),
    isWhole: parts.every(({ isWhole }) => isWhole),
  }
}

/** The keys among which every value lies that a condition holds for, or undefined where they can be anywhere. */
export function boundsOf(condition: Condition): ConditionBounds | undefined {
  switch (condition.kind) {
    case 'compare':
      return { bounds: compareBounds(condition), isExact: true }
    case 'in':
      return { bounds: { points: distinct(condition.values.map(orderKey)) }, isExact: true }
    case 'has':
      // An element's key is also that of a value which is no element.
      return { bounds: { points: [orderKey(condition.value)] }, isExact: false }
    case 'regex':
      return regexBounds(condition)
    default:
      return condition satisfies never
  }
}

function compareBounds({ operator, value }: CompareFilter): KeyBounds {
  const rank = rankOf(value)
  const key = orderKey(value)
  if (operator === 'eq') return { points: [key] }
  if (rank === RANK.null) return { points: operator === 'gt' || operator === 'lt' ? [] : [key] }
  const [low, high] = typeBounds(rank)
  switch (operator) {
    case 'gt':
      return { low: after(key), high }
    case 'gte':
      return { low: key, high }
    case 'lt':
      return { low, high: key }
    case 'lte':
      return { low, high: after(key) }
    default:
      return operator satisfies never
  }
}

/** The two booleans are one type. A key begins with its type's rank, from 1. */
function typeBounds(rank: number): [low: Uint8Array, high: Uint8Array] {
  if (rank === RANK.false || rank === RANK.true)
    return [Uint8Array.of(RANK.false + 1), Uint8Array.of(RANK.true + 2)]
  return [Uint8Array.of(rank + 1), Uint8Array.of(rank + 2)]
}

/** The least bytes greater than a key. */
function after(key: Uint8Array): Uint8Array {
  return Buffer.concat([key, END])
}

function regexBounds({ pattern }: RegexFilter): ConditionBounds | undefined {
  const literal = literalParts(pattern)
  if (literal?.kind !== 'prefix') return undefined
  const low = Buffer.concat([Uint8Array.of(RANK.text + 1), Buffer.from(literal.literal)])
  const high = Buffer.from(low)
  // The last byte is the rank or one of UTF-8, which are all less than 255.
  high[high.length - 1]! += 1
  return { bounds: { low, high }, isExact: literal.exact }
}

/** Keys that lie within both bounds: only where a document has one key for the field. */
export function intersect(one: KeyBounds, other: KeyBounds): KeyBounds {
  if ('points' in one && 'points' in other) {
    const keys = new Set(other.points.map(textOf))
    return { points: one.points.filter((key) => keys.has(textOf(key))) }
  }
  if ('points' in one) return pointsWithin(one, other as KeyRange)
  if ('points' in other) return pointsWithin(other, one)
  const low = Buffer.compare(one.low, other.low) < 0 ? other.low : one.low
  const high = Buffer.compare(one.high, other.high) < 0 ? one.high : other.high
  return Buffer.compare(low, high) < 0 ? { low, high } : { points: [] }
}

function pointsWithin({ points }: KeyPoints, { low, high }: KeyRange): KeyPoints {
  return {
    points: points.filter((key) => Buffer.compare(key, low) >= 0 && Buffer.compare(key, high) < 0),
  }
}

function distinct(keys: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(keys.map((key) => [textOf(key), key])).values()]
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
}
