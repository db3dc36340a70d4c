import type { IncomingHttpHeaders } from 'node:http'
import type { Conditions, NamedDocuments } from '../../domain/precondition.ts'
import { AppError } from '../../errors.ts'
import { opaquePart } from '../response/entity-tag.ts'

/** One entity tag (RFC 9110, section 8.8.3), with what may stand around it in a list (section 5.6.1). */
const ENTRY = /[ \t,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,[ \t,]*|$)/y

/**
 * What a write depends on, by its headers; undefined where it depends on nothing.
 * @throws AppError `invalid_request`
 */
export function readConditions(headers: IncomingHttpHeaders): Conditions | undefined {
  const match = headers['if-match']
  const noneMatch = headers['if-none-match']
  if (match === undefined && headers['if-unmodified-since'] !== undefined)
    throw new AppError(
      'invalid_request',
      'documents have no date of their last change, so that If-Unmodified-Since can not be held to; send If-Match with the ETag of the document',
    )
  if (match === undefined && noneMatch === undefined) return undefined
  return {
    ifMatch: match === undefined ? undefined : namedDocuments('If-Match', match),
    ifNoneMatch: noneMatch === undefined ? undefined : namedDocuments('If-None-Match', noneMatch),
  }
}

/** Node joins repeated headers of these names into one list. */
function namedDocuments(header: 'If-Match' | 'If-None-Match', value: string): NamedDocuments {
  if (value === '*') return '*'
  const tags: string[] = []
  ENTRY.lastIndex = 0
  for (let at = 0; at < value.length; at = ENTRY.lastIndex) {
    const entry = ENTRY.exec(value)
    if (entry === null) throw malformed(header)
    const [, weak, opaque] = entry
    // Strong comparison: a weak tag is like none (RFC 9110, section 8.8.3.2).
    if (header === 'If-None-Match' || weak === undefined) tags.push(opaquePart(opaque!))
  }
  if (value.trim() === '') throw malformed(header)
  return tags
}

function malformed(header: string): AppError {
  return new AppError(
    'invalid_request',
    `the header ${header} should be * or entity tags, separated by commas, each as an ETag has it, in double quotes`,
  )
}
