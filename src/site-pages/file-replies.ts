import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tagOf } from '../domain/entity-tag.ts'
import { AppError } from '../errors.ts'
import { preferredOf } from '../http/response/content-coding.ts'
import { entityTag } from '../http/response/entity-tag.ts'
import { errorPage } from '../http/response/error-page.ts'
import type { FileHead, Reply } from '../http/response/reply.ts'
import { CODINGS, type Coding } from '../sites/manifest.ts'
import type { SiteFiles } from '../sites/site-files.ts'
import { byteRange } from './byte-range.ts'
import { LoadingCache } from './loading-cache.ts'
import { readPart } from './read-part.ts'
import type { FileTarget, ServedFile } from './served-version.ts'

/** A longer file is read as it is sent, when there is room in the budget of memory. */
const CACHED_BYTES = 256 * 1024
/** Files that are read at once: what is read is in memory before the budget is asked, in a response or in the cache. */
const LOADS = 8
/** What a file takes in memory beside its bytes. */
const ENTRY_BYTES = 300
/** For a year, which is what HTTP calls for ever (RFC 9111, section 5.2.2.1; RFC 8246). */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATED = 'public, no-cache'
const PREVIEW = 'private, no-cache'

export interface FileRepliesOptions {
  readonly files: SiteFiles
  readonly compression: boolean
  readonly cacheBytes: number
}

interface AskedFile {
  readonly app: string
  readonly request: IncomingMessage
  readonly isPreview: boolean
  /** Headers that the site sets, by their names in lower case. */
  readonly set: ReadonlyMap<string, string> | undefined
}

/** The bytes that are sent of a file, in one of its codings. */
interface Part {
  readonly path: string
  readonly key: string
  readonly first: number
  readonly last: number
  /** All that the file has. */
  readonly bytes: number
}

/** Answers with files: whole or a part, as they are or in a coding, from memory or the disk. */
export class FileReplies {
  private readonly options: FileRepliesOptions
  private readonly cache: LoadingCache<Uint8Array>

  constructor(options: FileRepliesOptions) {
    this.options = options
    this.cache = new LoadingCache({ mostBytes: options.cacheBytes, mostLoads: LOADS })
  }

  /** @throws AppError `store_unavailable` where the file is gone from the disk, or cut */
  replyWith(target: FileTarget, asked: AskedFile): Reply | Promise<Reply> {
    const { file, status } = target
    const { app, request } = asked
    const { files } = this.options
    const tag = tagFor(file, asked)
    const head = headOf(target, asked, tag)
    const range = status === 200 ? askedRange(request, { tag, bytes: file.bytes }) : 'whole'
    if (range === 'unsatisfiable')
      return errorPage(request, {
        status: 416,
        body: '',
        headers: ['Content-Range', `bytes */${file.bytes}`],
      })
    const coding = range === 'whole' ? this.codingFor(request, file) : undefined
    const bytes = coding === undefined ? file.bytes : file.encoded[coding]!
    const { first, last } = range === 'whole' ? { first: 0, last: bytes - 1 } : range
    const headers = [...head.headers]
    if (coding === undefined) headers.push('Accept-Ranges', 'bytes')
    if (range !== 'whole') headers.push('Content-Range', `bytes ${first}-${last}/${bytes}`)
    const reply: Reply = {
      status: range === 'whole' ? status : 206,
      body: '',
      file: { ...head.file, coding, length: last - first + 1 },
      headers,
    }
    if (request.method === 'HEAD') return reply
    const key = `${app}/${file.hash}/${coding ?? ''}`
    return this.withBytes(reply, { path: files.pathOf(app, file.hash, coding), key, first, last, bytes })
  }

  private withBytes(reply: Reply, part: Part): Reply | Promise<Reply> {
    const { path, key, first, last, bytes } = part
    if (bytes > CACHED_BYTES)
      return requireBytes(path, bytes).then(() => ({ ...reply, rest: readPart(path, { first, last }) }))
    const whole = this.cache.get(key, async () => {
      const value = await readWhole(path, bytes)
      return { value, bytes: bytes + ENTRY_BYTES }
    })
    const withBody = (body: Uint8Array): Reply => ({ ...reply, body: body.subarray(first, last + 1) })
    return whole instanceof Promise ? whole.then(withBody) : withBody(whole)
  }

  private codingFor({ headers }: IncomingMessage, { encoded }: ServedFile): Coding | undefined {
    if (!this.options.compression) return undefined
    const available = CODINGS.filter((coding) => encoded[coding] !== undefined)
    return available.length === 0 ? undefined : preferredOf(headers['accept-encoding'], available)
  }
}

/** Other headers make another tag: what a browser keeps has them, and would go on having them after a 304. */
function tagFor({ tag }: ServedFile, { set }: AskedFile): string {
  return set === undefined || set.size === 0 ? tag : tagOf(JSON.stringify([tag, ...set]))
}

function headOf(
  { file, status, isStandIn }: FileTarget,
  { isPreview, set }: AskedFile,
  tag: string,
): { readonly file: FileHead; readonly headers: readonly string[] } {
  const { type, isImmutable } = file
  // What its site says of a file's type and keeping is said of the one that is missing.
  const own = isStandIn ? undefined : set
  const caching = isImmutable && !isStandIn ? IMMUTABLE : REVALIDATED
  const headers: string[] = []
  for (const [name, value] of set ?? [])
    if (name !== 'content-type' && name !== 'cache-control') headers.push(name, value)
  if (isPreview && !set?.has('x-robots-tag')) headers.push('X-Robots-Tag', 'noindex')
  return {
    file: {
      type: own?.get('content-type') ?? type,
      caching: isPreview ? PREVIEW : (own?.get('cache-control') ?? caching),
      // Whoever has the page for what is not there has nothing that could be unchanged.
      ...(status === 200 && { tag }),
    },
    headers,
  }
}

/** Of a file as it is: a part of a coding is of use to nobody but who has the rest of it in that coding. */
function askedRange(
  { method, headers }: IncomingMessage,
  { tag, bytes }: { readonly tag: string; readonly bytes: number },
) {
  const { range } = headers
  if (range === undefined || method !== 'GET' || headers['if-none-match'] !== undefined) return 'whole'
  const condition = headers['if-range']
  const isSame = condition === undefined || condition === entityTag(tag, 'strong', undefined)
  return isSame ? byteRange(range, bytes) : 'whole'
}

async function readWhole(path: string, bytes: number): Promise<Uint8Array> {
  const read = await readFile(path).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  if (read.length === bytes) return read
  throw unreadable(new Error(`${path} has ${read.length} bytes, not ${bytes}`))
}

async function requireBytes(path: string, bytes: number): Promise<void> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  if (size !== bytes) throw unreadable(new Error(`${path} has ${size} bytes, not ${bytes}`))
}

function unreadable(cause: unknown): AppError {
  return new AppError('store_unavailable', 'a file of the site can not be read; deploy it again', { cause })
}
