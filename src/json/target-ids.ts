import type { DocumentId } from '../domain/document.ts'
import { textId } from '../domain/document.ts'
import { documentId } from './document-id.ts'
import { isInt64Text } from './value.ts'

/**
 * The ids that a path's last segment may mean, in the order in which they are tried: the text itself, then the
 * number where the segment is just how that number is printed.
 * @throws AppError `invalid_id`, `null_character`
 */
export function targetIds(segment: string): readonly [string, ...DocumentId[]] {
  const text = textId(segment)
  const number = canonicalNumber(text)
  return number === undefined ? [text] : [text, number]
}

const ZERO = 0x30
const NINE = 0x39

/** All digits of a 64-bit integer count; JavaScript would print `1152921504606846976` as another one. */
function canonicalNumber(text: string): DocumentId | undefined {
  const last = text.charCodeAt(text.length - 1)
  if (last < ZERO || last > NINE) return undefined
  if (isInt64Text(text)) return BigInt(text).toString() === text ? documentId({ source: text }) : undefined
  const double = Number(text)
  return Number.isFinite(double) && String(double) === text ? double : undefined
}
