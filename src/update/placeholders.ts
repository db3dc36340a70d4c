import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../json/value.ts'
import type { PlaceholderSource } from './ast.ts'

const MARK = '.ServerValue.'

/**
 * Whether a JSON text may hold a placeholder, so that the walk through its value can be spared where it
 * can't. A `\u` escape may hide one.
 */
export function mayHoldPlaceholder(text: string, serviceNames: readonly string[]): boolean {
  return serviceNames.length > 0 && (text.includes(MARK) || text.includes('\\u'))
}

/**
 * Replaces every text that is, as a whole, a placeholder (specification, Server value placeholders), at any
 * depth, never in keys. A value without any comes back as the very same one. Each UNIQUE and UUID is its own.
 * A source without service names spares the walk.
 */
export function fillPlaceholders(value: JsonValue, source: PlaceholderSource): JsonValue {
  return source.serviceNames.length === 0 ? value : fill(value, source)
}

/** The UTC date as it is written everywhere: ISO 8601 with milliseconds and `Z`. */
export function utcDate(now: number): string {
  return new Date(now).toISOString()
}

function fill(value: JsonValue, source: PlaceholderSource): JsonValue {
  if (typeof value === 'string') return fillText(value, source)
  if (isJsonArray(value)) return fillArray(value, source)
  if (isJsonObject(value)) return fillObject(value, source)
  return value
}

function fillText(text: string, source: PlaceholderSource): JsonValue {
  const at = text.lastIndexOf(MARK)
  if (at < 0 || !source.serviceNames.includes(text.slice(0, at))) return text
  switch (text.slice(at + MARK.length)) {
    case 'TIMESTAMP':
      return source.now
    case 'UTC':
      return utcDate(source.now)
    case 'UNIQUE':
      return source.unique()
    case 'UUID':
      return source.uuid()
    default:
      return text
  }
}

function fillArray(array: JsonArray, source: PlaceholderSource): JsonArray {
  let filled: JsonArray | undefined
  for (let i = 0; i < array.length; i++) {
    const element = array[i]!
    const value = fill(element, source)
    if (value === element) continue
    filled ??= [...array]
    filled[i] = value
  }
  return filled ?? array
}

function fillObject(object: JsonObject, source: PlaceholderSource): JsonObject {
  let filled: JsonObject | undefined
  for (const [key, member] of object) {
    const value = fill(member, source)
    if (value === member) continue
    filled ??= new Map(object)
    filled.set(key, value)
  }
  return filled ?? object
}
