import { AppError } from '../errors.ts'
import { tagOf } from './entity-tag.ts'

/** Documents as a condition names them: any that is there, or by the opaque parts of entity tags. */
export type NamedDocuments = '*' | readonly string[]

/** What a write says of the document that it is about (RFC 9110, section 13.1); all of it has to hold. */
export interface Conditions {
  /** The document is there, and is one of these. Weak tags name none, for what is compared is the very text. */
  readonly ifMatch?: NamedDocuments | undefined
  /** The document is not there, or is none of these. */
  readonly ifNoneMatch?: NamedDocuments | undefined
}

/**
 * The same for a store. A write for which it does not hold is refused with `precondition_failed`, and nothing of it is
 * done: only the store can know, inside the transaction.
 */
export interface Precondition extends Conditions {
  /** Whether a refusal tells the tag of the document that is there. */
  readonly tellsTag: boolean
}

/** Whether conditions name documents by what they hold. */
export function namesTags({ ifMatch, ifNoneMatch }: Conditions): boolean {
  return Array.isArray(ifMatch) || Array.isArray(ifNoneMatch)
}

/**
 * For a write that found a document, or none; in the order of RFC 9110, section 13.2.2.
 * @param before the text of the document that is there
 * @throws AppError `precondition_failed`
 */
export function requirePrecondition(
  precondition: Precondition | undefined,
  before: string | undefined,
): void {
  if (precondition === undefined) return
  const { ifMatch, ifNoneMatch, tellsTag } = precondition
  if (before === undefined) {
    if (ifMatch !== undefined) throw failed(MISSING)
    return
  }
  const holds = ifMatch === undefined || names(ifMatch, before)
  if (holds && (ifNoneMatch === undefined || !names(ifNoneMatch, before))) return
  const tag = tellsTag ? tagOf(before) : undefined
  if (!holds) throw failed(CHANGED, tag)
  throw failed(ifNoneMatch === '*' ? TAKEN : NAMED, tag)
}

/**
 * For a write by query that says how many documents it is about.
 * @throws AppError `unexpected_count`
 */
export function requireCount(expected: number | undefined, matching: number): void {
  if (expected === undefined || expected === matching) return
  const [documents, match] = matching === 1 ? ['document', 'matches'] : ['documents', 'match']
  throw new AppError(
    'unexpected_count',
    `${matching} ${documents} ${match} and not ${expected} as expect says, so nothing was done; look at what matches now`,
  )
}

const MISSING = 'there is no document with this _id, and If-Match writes only to one that is there'
const CHANGED =
  'the document is not as If-Match says: it has changed since; read it again, and send the tag that it has now, which does not begin with W/'
const TAKEN = 'there is a document with this _id already, and If-None-Match: * only makes a new one'
const NAMED = 'the document is as If-None-Match says that it must not be'

function names(documents: NamedDocuments, text: string): boolean {
  return documents === '*' || documents.includes(tagOf(text))
}

function failed(message: string, entityTag?: string): AppError {
  return new AppError('precondition_failed', message, { entityTag })
}
