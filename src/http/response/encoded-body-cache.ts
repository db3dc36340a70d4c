import type { IncomingMessage } from 'node:http'
import { tagOf } from '../../domain/entity-tag.ts'
import { UNBOUNDED_MEMORY } from '../../domain/memory.ts'
import { type Coding, encode, LEAST_CODED_BYTES, preferredCoding } from './content-coding.ts'

/** A whole body, before any content coding. */
export type WholeBody = string | Uint8Array

/** What was made of a body that is likely to be asked for again. */
interface CacheEntry {
  tag?: string
  readonly encoded: Partial<Record<Coding, Uint8Array | Promise<Uint8Array>>>
  size: number
}

/** An entry beside its body. */
const ENTRY_BYTES = 200

export interface EncodedBodyCacheOptions {
  readonly compression: boolean
  /** What is remembered of bodies takes so much memory at most, by estimate, the bodies themselves included. */
  readonly encodedCacheBytes?: number
  /**
   * Bodies that may be compressed on threads at once, each with up to a megabyte for its compressor; further ones are
   * sent as they are.
   */
  readonly compressors?: number
}

/**
 * The tags and compressed forms of bodies. Those of bodies that memory answers are remembered by the body itself, so
 * that they are right for as long as anybody has it, whatever becomes of its document. The oldest go first.
 */
export class EncodedBodyCache {
  private readonly isOn: boolean
  private readonly entries = new Map<WholeBody, CacheEntry>()
  private size = 0
  private compressors = 0
  private readonly most: { readonly bytes: number; readonly compressors: number }

  constructor(options: EncodedBodyCacheOptions) {
    const {
      compression,
      encodedCacheBytes = UNBOUNDED_MEMORY.encodedCacheBytes,
      compressors = UNBOUNDED_MEMORY.compressors,
    } = options
    this.isOn = compression
    this.most = { bytes: encodedCacheBytes, compressors }
  }

  /** The opaque part of a body's entity tag. */
  tag(body: WholeBody, isKept: boolean): string {
    if (!isKept) return tagOf(body)
    const entry = this.entryOf(body)
    entry.tag ??= tagOf(body)
    return entry.tag
  }

  /** The coding for an answer of that many bytes; undefined is none. A long one in chunks has no length yet. */
  codingFor({ headers }: IncomingMessage, length = Number.POSITIVE_INFINITY): Coding | undefined {
    if (!this.mayEncode(length) || this.compressors >= this.most.compressors) return undefined
    return preferredCoding(headers['accept-encoding'])
  }

  /** Whether the answer to another `Accept-Encoding` may be another one. */
  mayEncode(length = Number.POSITIVE_INFINITY): boolean {
    return this.isOn && length >= LEAST_CODED_BYTES
  }

  /** A body in a coding, at once where it is known, or quickly made. */
  encoded(body: WholeBody, coding: Coding, isKept: boolean): Uint8Array | Promise<Uint8Array> {
    if (!isKept) return this.encode(body, coding)
    const entry = this.entryOf(body)
    const known = entry.encoded[coding]
    if (known !== undefined) return known
    const encoded = this.encode(body, coding)
    entry.encoded[coding] = encoded
    if (!(encoded instanceof Promise)) {
      this.grow(body, entry, encoded.length)
      return encoded
    }
    return encoded.then(
      (bytes) => {
        entry.encoded[coding] = bytes
        this.grow(body, entry, bytes.length)
        return bytes
      },
      (error) => {
        delete entry.encoded[coding]
        throw error
      },
    )
  }

  /** Counts a compressor that lives until the function is called that this answers. */
  compressing(): () => void {
    this.compressors++
    return () => this.compressors--
  }

  private encode(body: WholeBody, coding: Coding): Uint8Array | Promise<Uint8Array> {
    const encoded = encode(coding, typeof body === 'string' ? Buffer.from(body) : body)
    return encoded instanceof Promise ? encoded.finally(this.compressing()) : encoded
  }

  private entryOf(body: WholeBody): CacheEntry {
    const known = this.entries.get(body)
    if (known !== undefined) return known
    const bytes = typeof body === 'string' ? 2 * body.length : body.length
    const entry: CacheEntry = { encoded: {}, size: 0 }
    this.entries.set(body, entry)
    this.grow(body, entry, ENTRY_BYTES + bytes)
    return entry
  }

  private grow(body: WholeBody, entry: CacheEntry, bytes: number): void {
    // It may have had to go meanwhile.
    if (this.entries.get(body) !== entry) return
    entry.size += bytes
    this.size += bytes
    for (const [oldest, { size }] of this.entries) {
      if (this.size <= this.most.bytes) return
      this.entries.delete(oldest)
      this.size -= size
    }
  }
}
