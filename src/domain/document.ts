import { AppError } from '../errors.ts'

/**
 * A document's id as a key: a text, or the quantity of a number (a bigint only where a double can't hold it), so
 * that `1`, `1.0` and `1e0` are one id and `"1"` is another.
 */
export type DocumentId = string | number | bigint

const ID_BYTES = 512

/**
 * Checks a text that is to become an `_id`.
 * @throws AppError `invalid_id`, `null_character`
 */
export function textId(text: string): string {
  if (text === '')
    throw new AppError('invalid_id', '_id may not be an empty text; leave it out to get one assigned')
  if (text.length * 3 > ID_BYTES && new TextEncoder().encode(text).length > ID_BYTES)
    throw new AppError('invalid_id', `_id may have at most ${ID_BYTES} bytes of UTF-8`)
  if (text.includes('\u0000')) throw new AppError('null_character', '_id may not contain a NUL character')
  if (!text.isWellFormed()) throw new AppError('invalid_id', '_id contains a lone surrogate')
  return text
}
