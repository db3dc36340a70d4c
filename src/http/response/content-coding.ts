import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'

/** Content codings that answers can have (RFC 9110, section 8.4.1; RFC 8878), the cheapest for its size first. */
const CODINGS = ['zstd', 'br', 'gzip'] as const

export type Coding = (typeof CODINGS)[number]

/** Bytes of a body from which on it is compressed: a shorter one fits into one packet as it is. */
export const LEAST_CODED_BYTES = 1024
/** Bytes that are compressed at once, in at most 0.3 ms; more goes to a thread. */
const CODED_HERE_BYTES = 16 * 1024
/** What a compressor hands over in one chunk. */
const CHUNK_BYTES = 64 * 1024
/** Values of `Accept-Encoding` that are remembered; there are as many as there are kinds of clients. */
const REMEMBERED = 100
const REMEMBERED_CHARACTERS = 200

/** Measured on lists of documents of 500 bytes: levels above these take several times the time for a few percent. */
const GZIP = { level: 4, chunkSize: CHUNK_BYTES }
const BROTLI = {
  chunkSize: CHUNK_BYTES,
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const ZSTD = {
  chunkSize: CHUNK_BYTES,
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: 18 },
}

interface Coder {
  readonly now: (bytes: Uint8Array) => Uint8Array
  readonly onThread: (bytes: Uint8Array) => Promise<Uint8Array>
  readonly stream: () => NodeJS.ReadWriteStream & AsyncIterable<Uint8Array>
}

const onThread = {
  gzip: promisify<Uint8Array, typeof GZIP, Uint8Array>(gzip),
  br: promisify<Uint8Array, typeof BROTLI, Uint8Array>(brotliCompress),
  zstd: promisify<Uint8Array, typeof ZSTD, Uint8Array>(zstdCompress),
}

const CODERS: Readonly<Record<Coding, Coder>> = {
  gzip: {
    now: (bytes) => gzipSync(bytes, GZIP),
    onThread: (bytes) => onThread.gzip(bytes, GZIP),
    stream: () => createGzip(GZIP),
  },
  br: {
    now: (bytes) => brotliCompressSync(bytes, BROTLI),
    onThread: (bytes) => onThread.br(bytes, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  zstd: {
    now: (bytes) => zstdCompressSync(bytes, ZSTD),
    onThread: (bytes) => onThread.zstd(bytes, ZSTD),
    stream: () => createZstdCompress(ZSTD),
  },
}

const remembered = new Map<string, Coding | undefined>()

/**
 * The coding that a client likes best of those that there are, by its `Accept-Encoding` (RFC 9110, section 12.5.3);
 * undefined where it likes none of them better than none at all. Of those that it likes alike the cheapest.
 */
export function preferredCoding(accepted: string | string[] | undefined): Coding | undefined {
  if (accepted === undefined) return undefined
  const text = String(accepted)
  if (text.length > REMEMBERED_CHARACTERS) return negotiate(text, CODINGS)
  if (remembered.has(text)) return remembered.get(text)
  const coding = negotiate(text, CODINGS)
  if (remembered.size < REMEMBERED) remembered.set(text, coding)
  return coding
}

/** The same of those codings alone that something was compressed in beforehand, in the order of `available`. */
export function preferredOf<Available extends Coding>(
  accepted: string | string[] | undefined,
  available: readonly Available[],
): Available | undefined {
  return accepted === undefined ? undefined : negotiate(String(accepted), available)
}

function negotiate<Available extends Coding>(
  accepted: string,
  available: readonly Available[],
): Available | undefined {
  const weights = new Map<string, number>()
  for (const element of accepted.toLowerCase().split(',')) {
    const [name, ...parameters] = element.split(';').map((part) => part.trim())
    weights.set(name === 'x-gzip' ? 'gzip' : name!, weightOf(parameters))
  }
  const others = weights.get('*') ?? 0
  let best: Available | undefined
  // Whoever doesn't say how much he likes a body as it is takes it when there is nothing else.
  let bestWeight = weights.get('identity') ?? 0
  for (const coding of available) {
    const weight = weights.get(coding) ?? others
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && best === undefined)) {
      best = coding
      bestWeight = weight
    }
  }
  return best
}

/** What is no weight counts as none: nothing is sent that may not be understood. */
function weightOf(parameters: readonly string[]): number {
  const [parameter] = parameters
  if (parameter === undefined) return 1
  const [, digits] = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameter) ?? []
  return digits === undefined ? 0 : Number(digits)
}

/** A body in a coding, at once where that takes no time worth mentioning. */
export function encode(coding: Coding, bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  return bytes.length <= CODED_HERE_BYTES ? CODERS[coding].now(bytes) : CODERS[coding].onThread(bytes)
}

/**
 * The chunks of a body in a coding, compressed on threads as they are taken. Whoever stops taking them, or fails, stops
 * `chunks`, too.
 */
export function encodeChunks(coding: Coding, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // Objects, or what is made would be asked for as soon as 16 KiB of it are taken.
  const source = Readable.from(chunks, { objectMode: true, highWaterMark: 1 })
  const coder = CODERS[coding].stream()
  // The iteration throws the error.
  pipeline(source, coder, () => {})
  return coder
}
