import { DEFAULT_LIMITS, type Limits } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import { stringify } from '../src/json/stringify.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../src/json/value.ts'
import { applyUpdate, insertFromUpdate } from '../src/update/apply.ts'
import type { PlaceholderSource } from '../src/update/ast.ts'
import { parseUpdate } from '../src/update/parse.ts'

interface Options {
  readonly limits?: Partial<Limits>
  readonly placeholders?: PlaceholderSource
}

/** 2023-11-14T22:13:20.123Z */
export const NOW = 1_700_000_000_123

/** Fresh ids that count up, each source from 1. */
export function countingPlaceholders(serviceNames: readonly string[] = ['Service']): PlaceholderSource {
  let uniques = 0
  let uuids = 0
  return { now: NOW, unique: () => `unique-${++uniques}`, uuid: () => `uuid-${++uuids}`, serviceNames }
}

export function json(text: string): JsonValue {
  return parseJson(text, { nestingLevels: 1000 })
}

export function jsonObject(text: string): JsonObject {
  const value = json(text)
  if (!isJsonObject(value)) throw new Error(`${text} is not an object`)
  return value
}

/**
 * The text of a document after an update, both given as text; the document's `_id` is left out on both sides.
 */
export function applied(document: string, body: string, options: Options = {}): string {
  const stored = new Map([['_id', 1 as JsonValue], ...jsonObject(document)])
  const result = new Map(applyUpdate({ document: stored, ...circumstances(body, options) }))
  result.delete('_id')
  return stringify(result)
}

/** The text of the document that an update creates from a seed. */
export function inserted(seed: string, body: string, options: Options = {}): string {
  return stringify(insertFromUpdate({ seed: jsonObject(seed), ...circumstances(body, options) }))
}

function circumstances(body: string, options: Options) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  return {
    update: parseUpdate(json(body), limits),
    placeholders: options.placeholders ?? countingPlaceholders(),
    limits,
  }
}
