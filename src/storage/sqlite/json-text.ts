import type { JsonText } from '../store.ts'

/** Texts of at least so many units are handed on as bytes. */
const BYTES_FROM = 16 * 1024

const encoder = new TextEncoder()

/** A long text as UTF-8, which can be moved to another thread and written to a socket as it is. */
export function asBytesWhereLong(text: JsonText): JsonText {
  return typeof text === 'string' && text.length >= BYTES_FROM ? encoder.encode(text) : text
}

/** Parts of a text as one, in bytes where one of them is. */
export function joinTexts(parts: readonly JsonText[]): JsonText {
  if (parts.every((part) => typeof part === 'string')) return parts.join('')
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}
