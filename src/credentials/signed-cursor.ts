import { createHmac, timingSafeEqual } from 'node:crypto'
import { fromBase64url } from '../domain/base64url.ts'
import { AppError } from '../errors.ts'
import type { FindTexts } from '../storage/cache-key.ts'
import type { Cursor, FindCommand, TokenSecret } from '../storage/store.ts'

const MAC_BYTES = 16
/** Sets the key of cursors apart from that of tokens, which are signed with the secret itself. */
const PURPOSE = 'sheaf cursor'

/** What a cursor is good for: pages of one query in one order. */
export type PagedQuery = FindCommand & { readonly texts: FindTexts }

/**
 * Whether a cursor holds for one value of each field of a find alone: for those that say which documents are found, and
 * in which order. In this order they, or the texts that stand for them, are part of its signature, so that another order
 * would be the end of all cursors.
 */
const IS_BOUND: Readonly<Record<keyof FindCommand, boolean>> = {
  app: true,
  collection: true,
  filter: true,
  sort: true,
  projection: false,
  skip: false,
  limit: false,
  after: false,
  wantsPreviews: false,
  wantsEnd: false,
  partialAfterMs: false,
  texts: false,
  isCancelled: false,
  onReport: false,
}
const BOUND = (Object.keys(IS_BOUND) as (keyof FindCommand)[]).filter((field) => IS_BOUND[field])

/**
 * A cursor as clients get it: base64url of the store's, and of a signature that nobody else can make and that holds for
 * its query alone. Undefined where there is no secret to sign with.
 */
export function signCursor(
  cursor: Cursor,
  query: PagedQuery,
  secrets: readonly TokenSecret[],
): string | undefined {
  const secret = secrets.find(({ until }) => until === null)
  if (secret === undefined) return undefined
  return Buffer.concat([cursor, signature(secret, query, cursor)]).toString('base64url')
}

/**
 * @param now milliseconds since the Unix epoch
 * @throws AppError `invalid_cursor` for one that was not made for this query, or was signed with a secret that has ended
 */
export function signedCursor(
  text: string,
  query: PagedQuery,
  { secrets, now }: { secrets: readonly TokenSecret[]; now: number },
): Cursor {
  const bytes = fromBase64url(text) ?? Buffer.of()
  const cursor = bytes.subarray(0, -MAC_BYTES)
  const mac = bytes.subarray(cursor.length)
  const isSigned = secrets
    .filter(({ until }) => until === null || until > now)
    .some((secret) => mac.length === MAC_BYTES && timingSafeEqual(mac, signature(secret, query, cursor)))
  // A copy: a part would take the memory it lies in along to the storage threads.
  if (isSigned) return Uint8Array.from(cursor)
  throw new AppError(
    'invalid_cursor',
    'after is no cursor of this query: begin again without it, and take it from the Link header of each page, with the same q and s',
  )
}

function signature({ secret }: TokenSecret, query: PagedQuery, cursor: Cursor): Buffer {
  const key = createHmac('sha256', secret).update(PURPOSE).digest()
  const parts = BOUND.map((field) =>
    field in query.texts ? query.texts[field as keyof FindTexts] : query[field],
  )
  // JSON tells where each text ends, and a newline in it is escaped; a text that is missing is null.
  const bound = JSON.stringify(parts)
  return createHmac('sha256', key).update(`${bound}\n`).update(cursor).digest().subarray(0, MAC_BYTES)
}
