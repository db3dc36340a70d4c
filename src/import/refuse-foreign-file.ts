import { AppError } from '../errors.ts'

/** As long as the longest beginning by which a file is told. */
export const FOREIGN_HEAD_BYTES = 10

interface Packed {
  readonly name: string
  /** In Latin-1. */
  readonly beginning: RegExp
  readonly command: string
}

/** Ways to compress one file: RFC 1952, RFC 8878, and the formats of bzip2 (with its digits of pi) and xz. */
const PACKED: readonly Packed[] = [
  { name: 'gzip', beginning: /^\x1f\x8b/, command: 'gunzip -c' },
  { name: 'zstd', beginning: /^\x28\xb5\x2f\xfd/, command: 'zstd -dc' },
  { name: 'bzip2', beginning: /^BZh[1-9]1AY&SY/, command: 'bunzip2 -c' },
  { name: 'xz', beginning: /^\xfd7zXZ\0/, command: 'xz -dc' },
]
const ZIP = /^PK\x03\x04/
const UTF16_MARK = /^(?:\xff\xfe|\xfe\xff)/
/** Two characters of ASCII, of which each has two bytes. */
const UTF16_TEXT = /^(?:[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/

/**
 * Refuses a file that is no text in UTF-8, where its first bytes say what it is instead.
 * @throws AppError `invalid_document`, `invalid_unicode`
 */
export function refuseForeignFile(head: Buffer): void {
  const text = head.toString('latin1')
  const packed = PACKED.find(({ beginning }) => beginning.test(text))
  if (packed !== undefined)
    throw new AppError(
      'invalid_document',
      `the file is compressed (${packed.name}); unpack it: ${packed.command} FILE | sheaf import APP COLLECTION -`,
    )
  if (ZIP.test(text))
    throw new AppError(
      'invalid_document',
      'the file is a zip, as those of spreadsheets (.xlsx) are; unpack it, or save the sheet as CSV',
    )
  if (UTF16_MARK.test(text)) throw utf16('is')
  if (UTF16_TEXT.test(text)) throw utf16('looks like')
}

function utf16(verb: string): AppError {
  return new AppError(
    'invalid_unicode',
    `the file ${verb} UTF-16; save it as UTF-8, or convert it, as with iconv`,
  )
}
