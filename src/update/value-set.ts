import { equalValues } from '../json/compare.ts'
import { orderKey } from '../json/order-key.ts'
import type { JsonValue } from '../json/value.ts'

/** Up to so many scalars are compared one by one, which spares making a key of every element of an array. */
const FEW = 4

/** The distinct values of a list, by their equality and in their order. */
export class ValueSet {
  private readonly keys = new Set<string>()

  constructor(values: readonly JsonValue[]) {
    for (const value of values) this.add(value)
  }

  /** Whether the value was not there yet. */
  add(value: JsonValue): boolean {
    const { size } = this.keys
    return this.keys.add(valueKey(value)).size > size
  }

  has(value: JsonValue): boolean {
    return this.keys.has(valueKey(value))
  }
}

/** A test for being one of the values, at a cost that does not grow with their number or their size. */
export function isOneOf(values: readonly JsonValue[]): (value: JsonValue) => boolean {
  if (areFewScalars(values)) return (value) => values.some((one) => equalValues(one, value))
  const set = new ValueSet(values)
  return (value) => set.has(value)
}

export function areFewScalars(values: readonly JsonValue[]): boolean {
  return values.length <= FEW && values.every((value) => !Array.isArray(value) && !(value instanceof Map))
}

/**
 * The same for equal values only. A text is its own key; the others' begin with a NUL, which no text
 * contains.
 */
function valueKey(value: JsonValue): string {
  return typeof value === 'string' ? value : `\u0000${Buffer.from(orderKey(value)).toString('latin1')}`
}
