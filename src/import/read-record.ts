import { isUtf8 } from 'node:buffer'
import { LONGEST_FORM } from '../body/parse-body.ts'
import { checkedDocument, type ReadDocument, requireDocument } from '../body/read-document.ts'
import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { ExactParser } from '../json/exact.ts'
import { stringify } from '../json/stringify.ts'
import { isJsonObject } from '../json/value.ts'
import { fromExtendedJson } from './from-extended-json.ts'

export interface RecordRules {
  readonly limits: Limits
  /** Whether it is MongoDB's extended JSON. */
  readonly isExtended: boolean
}

/** How far a parser came in a text that it refused. */
export interface Progress {
  position: number
}

/**
 * The document that a text holds and nothing else, by the rules of a POST; but what looks like a placeholder is data.
 * @param progress is told where in the text an error is
 * @throws AppError as `ExactParser`, `requireDocument`, `checkedDocument` and `fromExtendedJson` do
 */
export function readRecord(
  text: string,
  { limits: { nestingLevels, documentBytes }, isExtended }: RecordRules,
  progress?: Progress,
): ReadDocument {
  // What is to become a number or an id is written in more bytes than it will have.
  const maxBytes = isExtended ? documentBytes * LONGEST_FORM : documentBytes
  const parser = new ExactParser(text, { nestingLevels, maxBytes })
  try {
    const mark = parser.mark()
    const value = requireDocument(parser.value())
    const written = parser.compact ? parser.since(mark) : undefined
    parser.end()
    const document = isExtended ? fromExtendedJson(value) : value
    const kept = document === value && written !== undefined ? written : stringify(document)
    const id = document.get('_id')
    if (!isExtended && isJsonObject(id) && id.has('$oid')) throw extendedId()
    return checkedDocument({ id, text: kept }, documentBytes)
  } catch (error) {
    if (progress !== undefined) progress.position = parser.position
    throw error
  }
}

/** @throws AppError `invalid_unicode` */
export function recordText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  throw new AppError('invalid_unicode', 'this is not UTF-8; convert the file, as with iconv')
}

function extendedId(): AppError {
  return new AppError(
    'invalid_id',
    "the _id is MongoDB's extended JSON: import the file as that (--ejson, ejson=true)",
  )
}
