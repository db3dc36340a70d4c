import type { JsonValue } from './value.ts'

/** Compact JSON text, every number as it was written and every key in its place. */
export function stringify(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return stringifyArray(value)
  return value instanceof Map ? stringifyObject(value) : value.source
}

function stringifyArray(array: readonly JsonValue[]): string {
  let text = '['
  for (let i = 0; i < array.length; i++) {
    if (i > 0) text += ','
    text += stringify(array[i]!)
  }
  return `${text}]`
}

function stringifyObject(object: ReadonlyMap<string, JsonValue>): string {
  let text = '{'
  for (const [key, value] of object) {
    if (text.length > 1) text += ','
    text += `${JSON.stringify(key)}:${stringify(value)}`
  }
  return `${text}}`
}
