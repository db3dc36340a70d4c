import { isUtf8 } from 'node:buffer'
import { AppError } from '../errors.ts'

/**
 * The text of a body. A byte order mark before it is skipped (RFC 8259, section 8.1).
 * @throws AppError `invalid_unicode` where the bytes are not UTF-8
 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new AppError('invalid_unicode', 'the body is not valid UTF-8')
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasMark ? 3 : 0)
}
