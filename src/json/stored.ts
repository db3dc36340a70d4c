import { parseJson } from './exact.ts'
import type { JsonObject, JsonValue } from './value.ts'

/** What was stored was checked when it came in, by the limits of that day. */
const UNLIMITED = { nestingLevels: Number.POSITIVE_INFINITY }

/** A value as a store keeps it. */
export function storedValue(text: string): JsonValue {
  return parseJson(text, UNLIMITED)
}

/** A document as a store keeps it. */
export function storedDocument(text: string): JsonObject {
  return storedValue(text) as JsonObject
}
