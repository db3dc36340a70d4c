import type { ServerResponse } from 'node:http'
import { drain } from '../connection/lingering-close.ts'
import { HSTS_HEADERS } from '../connection/strict-transport.ts'
import { hasUnreadBody } from '../request/receive-body.ts'
import { stateOf } from '../request/request-state.ts'
import { type BodyParts, bodyBytes, passingBytes } from './body-bytes.ts'
import { type Coding, encodeChunks } from './content-coding.ts'
import { CORS_HEADERS } from './cors.ts'
import { DASHBOARD_HEADERS } from './dashboard-headers.ts'
import type { EncodedBodyCache, WholeBody } from './encoded-body-cache.ts'
import { entityTag, namesTag } from './entity-tag.ts'

/** How a body is sent that is no JSON made for this request. */
export interface FileHead {
  /** The value of `Content-Type`. */
  readonly type: string
  /** The value of `Cache-Control`. */
  readonly caching: string
  /** The opaque part of its entity tag, the same in every coding. */
  readonly tag?: string | undefined
  /** The coding that its bytes are in already. */
  readonly coding?: Coding | undefined
  /** Whether it is of a kind that no coding makes shorter. */
  readonly isCompressed?: true
  /** All of its bytes, where `rest` brings them and they are known before. */
  readonly length?: number
}

/** An answer, before it is written to a socket. */
export interface Reply {
  readonly status: number
  readonly errorCode?: string
  /** JSON as a text or in UTF-8, or nothing; what `file` says where there is one. */
  readonly body: WholeBody
  readonly file?: FileHead
  /** What comes after `body`, where that is not the whole answer yet. */
  readonly rest?: BodyParts | undefined
  /** Names and values in turn, beside the headers of every answer. */
  readonly headers?: readonly string[]
  /** The value of that header; one that may stand in a header. */
  readonly serverTiming?: string
  /** The kind of entity tag that a whole answer has, if any. */
  readonly tag?: 'strong' | 'weak'
  /** Whether memory had it, so that it is likely to be asked for again. */
  readonly isKept?: boolean
}

const NOT_STORED: readonly string[] = Object.freeze(['Cache-Control', 'no-store'])
/** A browser asks by an answer's tag where it may keep the answer, and not otherwise. */
const REVALIDATED: readonly string[] = Object.freeze(['Cache-Control', 'private, no-cache'])
const NO_SNIFFING: readonly string[] = Object.freeze(['X-Content-Type-Options', 'nosniff'])

/** The headers of every answer that has no entity tag, names and values in turn. */
export const COMMON_HEADERS: readonly string[] = Object.freeze([...NOT_STORED, ...NO_SNIFFING])

/**
 * What is written at once to a client that may send requests ahead; the rest waits until it has taken that. Less than a
 * socket's high water mark: beyond it Node stops to parse requests, and takes those that TLS hands over all the same for
 * malformed. Others get all at once, for each slice costs some 100 µs.
 */
const WRITTEN_BYTES = 60 * 1024
/**
 * Length from which on texts are sent as bytes. Of a text of fewer than 65,536 units and as many bytes or more Node.js
 * 26 never says over TLS that it was sent.
 */
const BYTES_FROM = 16 * 1024

export interface SendOptions {
  /** Whether the connection ends with this answer. */
  readonly close: boolean
  /** After which a connection ends that has nothing more to send and does not say so. */
  readonly writeStallMs: number
  /** For which a client may send nothing that has had its answer, and is to send more of its request. */
  readonly lingerMs: number
  /** Gives answers their tags and content codings; without it they have none. */
  readonly bodies?: EncodedBodyCache
}

/** How an answer is sent. */
interface Form {
  readonly tag?: string | undefined
  readonly coding?: Coding | undefined
  /** Whether another `Accept-Encoding` may get another answer. */
  readonly varies: boolean
  /** In bytes, undefined where that isn't known before. */
  readonly length?: number | undefined
}

/**
 * Writes an answer; resolves when all of it was handed over, and is done at once where nothing has to be waited for. A
 * long answer that can't go on ends its connection, so that the client never takes a part for the whole.
 */
export function sendReply(
  response: ServerResponse,
  reply: Reply,
  options: SendOptions,
): undefined | Promise<undefined> {
  const { rest, isKept = false } = reply
  const { req: request } = response
  const { bodies } = options
  const state = stateOf(request)
  // Node ends what has neither a length nor chunks with its connection.
  state.closeAfter ||= options.close || (rest !== undefined && request.httpVersion === '1.0')
  if (rest !== undefined && reply.file?.length === undefined)
    return sendChunks(response, { ...reply, rest }, options)
  if (reply.file !== undefined) return sendFile(response, reply, reply.file, options)

  const tag = reply.tag && bodies?.tag(reply.body, isKept)
  // Only a text that is kept is looked up by itself; any other is turned into bytes once.
  const body = isKept ? reply.body : sentBody(reply.body)
  const length = Buffer.byteLength(body)
  const varies = bodies?.mayEncode(length) ?? false
  const condition = request.headers['if-none-match']
  if (tag !== undefined && condition !== undefined && isRead(request.method!) && namesTag(condition, tag))
    return sendUnchanged(response, reply, { tag, varies, coding: bodies?.codingFor(request, length) })
  const coding = varies ? bodies?.codingFor(request, length) : undefined
  if (coding === undefined) return sendWhole(response, { ...reply, body }, { tag, varies, length }, options)
  if (request.method === 'HEAD')
    return sendWhole(response, { ...reply, body: '' }, { tag, varies, coding }, options)
  const sendEncoded = (bytes: Uint8Array): undefined | Promise<undefined> =>
    sendWhole(response, { ...reply, body: bytes }, { tag, varies, coding, length: bytes.length }, options)
  const encoded = bodies!.encoded(body, coding, isKept)
  return encoded instanceof Promise ? encoded.then(sendEncoded) : sendEncoded(encoded)
}

/** A condition of a write was held to before it was done (RFC 9110, section 13.1.2). */
function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** What was compressed beforehand goes out as it is. */
function sendFile(
  response: ServerResponse,
  reply: Reply,
  { tag, coding, length = Buffer.byteLength(reply.body) }: FileHead,
  options: SendOptions,
): undefined | Promise<undefined> {
  const form = { tag, coding, varies: true, length }
  const condition = response.req.headers['if-none-match']
  if (tag !== undefined && condition !== undefined && namesTag(condition, tag))
    return sendUnchanged(response, reply, form)
  if (reply.rest === undefined || response.req.method === 'HEAD')
    return sendWhole(response, reply, form, options)
  return sendChunks(response, { ...reply, rest: reply.rest }, options, form)
}

function sentBody(body: WholeBody): WholeBody {
  return typeof body === 'string' && body.length >= BYTES_FROM ? Buffer.from(body) : body
}

function sendWhole(
  response: ServerResponse,
  reply: Reply,
  form: Form,
  { writeStallMs, lingerMs }: SendOptions,
): undefined | Promise<undefined> {
  const { req: request } = response
  writeHead(response, reply, form)
  if (request.method !== 'HEAD') stateOf(request).responseBytes = form.length ?? 0
  const isEndingEarly = stateOf(request).closeAfter && hasUnreadBody(request)
  const isSliced = stateOf(request).mayPipeline && Buffer.byteLength(reply.body) > WRITTEN_BYTES
  if (isEndingEarly || isSliced)
    return sendSlowly(response, reply.body, isEndingEarly ? lingerMs : undefined, writeStallMs)
  const body = sentBody(reply.body)
  // As many bytes as units: ASCII, which Node writes quicker where it is told so.
  if (typeof body === 'string' && body.length === form.length) response.end(body, 'latin1')
  else response.end(body)
}

/** @param lingerMs where the answer ends a connection whose request has not come in whole, and may never */
async function sendSlowly(
  response: ServerResponse,
  body: WholeBody,
  lingerMs: number | undefined,
  writeStallMs: number,
): Promise<undefined> {
  if (body.length === 0) response.flushHeaders()
  else await write(response, Buffer.from(body as string), writeStallMs)
  if (lingerMs !== undefined) await drain(response.req, lingerMs)
  response.end()
}

/** RFC 9110, section 15.4.5: what the answer would have had in its head, and no body. */
function sendUnchanged(response: ServerResponse, reply: Reply, form: Form): undefined {
  writeHead(response, { ...reply, status: 304, body: '', rest: undefined }, form)
  response.end()
}

function writeHead(
  response: ServerResponse,
  { status, body, file, rest, headers, serverTiming, tag: kind = 'strong' }: Reply,
  { tag, coding, varies, length }: Form,
): void {
  const { origin } = response.req.headers
  const state = stateOf(response.req)
  const caching = tag === undefined ? NOT_STORED : REVALIDATED
  const head = [...(file === undefined ? caching : ['Cache-Control', file.caching]), ...NO_SNIFFING]
  if (state.isStrict) head.push(...HSTS_HEADERS)
  head.push('X-Request-Id', state.id)
  if (headers !== undefined) head.push(...headers)
  if (serverTiming !== undefined) head.push('Server-Timing', serverTiming)
  if (tag !== undefined) head.push('ETag', entityTag(tag, kind, coding))
  if (varies) head.push('Vary', 'Accept-Encoding')
  // Each header costs about half a microsecond, so that those for pages go to pages alone.
  if (state.isDashboard) head.push(...DASHBOARD_HEADERS)
  else if (origin !== undefined && state.site === undefined) head.push(...CORS_HEADERS)
  if (state.closeAfter) head.push('Connection', 'close')
  const isKnown = coding !== undefined || file?.length !== undefined
  const hasBody = rest !== undefined || body !== '' || (isKnown && status !== 304)
  if (hasBody) head.push('Content-Type', file?.type ?? 'application/json')
  if (hasBody && coding !== undefined) head.push('Content-Encoding', coding)
  if (hasBody && length !== undefined) head.push('Content-Length', String(length))
  response.writeHead(status, head)
}

async function sendChunks(
  response: ServerResponse,
  reply: Reply & { readonly rest: BodyParts },
  { bodies, writeStallMs }: SendOptions,
  known?: Form,
): Promise<undefined> {
  const { socket, method } = response.req
  const state = stateOf(response.req)
  const mayEncode = known === undefined && reply.file?.isCompressed !== true && (bodies?.mayEncode() ?? false)
  const coding = mayEncode ? bodies?.codingFor(response.req) : undefined
  writeHead(response, reply, known ?? { varies: mayEncode, coding })
  // Nobody reads the body of an answer to HEAD: leaving the loop tells `rest` to stop.
  const isWanted = (): boolean => !socket.destroyed && method !== 'HEAD'
  const isCoded = coding !== undefined && method !== 'HEAD'
  const compressed = isCoded ? bodies!.compressing() : undefined
  const plain = isCoded ? bodyBytes(reply.body, reply.rest) : passingBytes(reply.body, reply.rest)
  let isBegun = false
  try {
    for await (const chunk of isCoded ? encodeChunks(coding, plain) : plain) {
      // `rest` can only be told to stop when it was begun.
      if (isBegun && !isWanted()) break
      isBegun = true
      state.responseBytes += chunk.length
      await write(response, chunk, writeStallMs)
    }
  } catch (error) {
    state.isAbandoned = socket.destroyed
    response.destroy()
    throw error
  } finally {
    compressed?.()
  }
  response.end()
}

/** Hands bytes over, some at a time, each when the client has taken those before, or is gone. */
function write(response: ServerResponse, bytes: Uint8Array, writeStallMs: number): Promise<void> {
  const { socket } = response.req
  const most = stateOf(response.req).mayPipeline ? WRITTEN_BYTES : bytes.length
  return untilDrained(response, writeStallMs, (done) => {
    let at = 0
    const next = (): void => {
      if (at >= bytes.length || socket.destroyed) {
        done()
        return
      }
      const slice = bytes.subarray(at, at + most)
      at += most
      response.write(slice, next)
    }
    next()
  })
}

/** Resolves when the client has taken an answer that was ended, or is gone. */
export function sent(response: ServerResponse, writeStallMs: number): Promise<void> {
  if (response.writableFinished) return Promise.resolve()
  return untilDrained(response, writeStallMs, (done) => response.once('finish', done))
}

/**
 * Begins something that a client has to take; resolves when it is done, or the client is gone. One that takes nothing is
 * hung up on by the listener, and here one that has taken all without this being told of it.
 */
function untilDrained(
  response: ServerResponse,
  writeStallMs: number,
  begin: (done: () => void) => void,
): Promise<void> {
  const { socket } = response.req
  if (socket.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      clearInterval(timer)
      socket.off('close', done)
      resolve()
    }
    const timer = setInterval(() => {
      // Behind other answers it has no socket yet, and its turn to come.
      if (response.socket !== null && socket.writableLength === 0) socket.destroy()
    }, writeStallMs)
    socket.once('close', done)
    begin(done)
  })
}
