import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Cursor, TokenSecret } from '../storage/store.ts'

/** The first byte of a cursor: how the rest of it is written. */
const VERSION = 2
const MAC_BYTES = 16
const LENGTH_BYTES = 4
/** Of the number of a collection, and of a place. */
const NUMBER_BYTES = 8
const HEAD_BYTES = 1 + 2 * NUMBER_BYTES
/** Sets the key of cursors apart from that of tokens, which are signed with the secret itself. */
const PURPOSE = 'sheaf cursor'

/** What a cursor is good for: pages of one query in one order. */
export interface PagedQuery {
  /** The app's internal id. */
  readonly app: string
  readonly collection: string
  /** As they were sent. */
  readonly q: string | undefined
  readonly s: string | undefined
}

/**
 * A cursor as clients get it: base64url of what it says, and of a signature that nobody else can make and that holds
 * for its query alone. Undefined where there is no secret to sign with.
 */
export function writeCursor(
  cursor: Cursor,
  query: PagedQuery,
  [secret]: readonly TokenSecret[],
): string | undefined {
  if (secret === undefined) return undefined
  const content = contentOf(cursor)
  return Buffer.concat([content, signature(secret, query, content)]).toString('base64url')
}

/**
 * @param now milliseconds since the Unix epoch
 * @throws AppError `invalid_cursor` for one that was not made for this query, or was signed with a secret that has ended
 */
export function readCursor(
  text: string,
  query: PagedQuery,
  { secrets, now }: { secrets: readonly TokenSecret[]; now: number },
): Cursor {
  const bytes = Buffer.from(text, 'base64url')
  const content = bytes.subarray(0, -MAC_BYTES)
  const mac = bytes.subarray(content.length)
  const isSigned = secrets
    .filter(({ until }) => until === null || until > now)
    .some((secret) => mac.length === MAC_BYTES && timingSafeEqual(mac, signature(secret, query, content)))
  if (isSigned && content[0] === VERSION) return cursorOf(content)
  throw new AppError(
    'invalid_cursor',
    'after is no cursor of this query: begin again without it, and take it from the Link header of each page, with the same q and s',
  )
}

function contentOf({ collection, place, keys }: Cursor): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = VERSION
  head.writeBigUInt64BE(BigInt(collection), 1)
  head.writeBigUInt64BE(BigInt(place), 1 + NUMBER_BYTES)
  const parts = keys.flatMap((key) => {
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(key.byteLength)
    return [length, key]
  })
  return Buffer.concat([head, ...parts])
}

/** Its signature was checked, so that it is as `contentOf` wrote it. */
function cursorOf(content: Buffer): Cursor {
  const keys: Uint8Array[] = []
  for (let at = HEAD_BYTES; at < content.length; ) {
    const start = at + LENGTH_BYTES
    at = start + content.readUInt32BE(at)
    // A copy: a part would take the memory it lies in along to the storage threads.
    keys.push(Uint8Array.from(content.subarray(start, at)))
  }
  return {
    collection: Number(content.readBigUInt64BE(1)),
    place: Number(content.readBigUInt64BE(1 + NUMBER_BYTES)),
    keys,
  }
}

function signature({ secret }: TokenSecret, { app, collection, q, s }: PagedQuery, content: Buffer): Buffer {
  const key = createHmac('sha256', secret).update(PURPOSE).digest()
  // JSON tells where each text ends, and a newline in it is escaped.
  const query = JSON.stringify([app, collection, q ?? null, s ?? null])
  return createHmac('sha256', key).update(`${query}\n`).update(content).digest().subarray(0, MAC_BYTES)
}
