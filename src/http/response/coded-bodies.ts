import type { IncomingMessage } from 'node:http'
import { PLENTY } from '../../domain/memory.ts'
import { type Coding, encode, LEAST_CODED_BYTES, preferredCoding } from './content-coding.ts'
import { tagOf } from './entity-tag.ts'

/** A whole body, before any content coding. */
export type WholeBody = string | Uint8Array

/** What was made of a body that is likely to be asked for again. */
interface Made {
  tag?: string
  readonly coded: Partial<Record<Coding, Uint8Array | Promise<Uint8Array>>>
  size: number
}

/** An entry beside its body. */
const ENTRY_BYTES = 200

export interface CodedBodiesOptions {
  readonly compression: boolean
  /** What is remembered of bodies takes so much memory at most, by estimate, the bodies themselves included. */
  readonly rememberedBytes?: number
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
export class CodedBodies {
  private readonly isOn: boolean
  private readonly made = new Map<WholeBody, Made>()
  private size = 0
  private compressors = 0
  private readonly most: { readonly bytes: number; readonly compressors: number }

  constructor(options: CodedBodiesOptions) {
    const {
      compression,
      rememberedBytes = PLENTY.rememberedBytes,
      compressors = PLENTY.compressors,
    } = options
    this.isOn = compression
    this.most = { bytes: rememberedBytes, compressors }
  }

  /** The opaque part of a body's entity tag. */
  tag(body: WholeBody, isKept: boolean): string {
    if (!isKept) return tagOf(body)
    const made = this.madeOf(body)
    made.tag ??= tagOf(body)
    return made.tag
  }

  /** The coding for an answer of that many bytes; undefined is none. A long one in chunks has no length yet. */
  codingFor({ headers }: IncomingMessage, length = Number.POSITIVE_INFINITY): Coding | undefined {
    if (!this.mayCode(length) || this.compressors >= this.most.compressors) return undefined
    return preferredCoding(headers['accept-encoding'])
  }

  /** Whether the answer to another `Accept-Encoding` may be another one. */
  mayCode(length = Number.POSITIVE_INFINITY): boolean {
    return this.isOn && length >= LEAST_CODED_BYTES
  }

  /** A body in a coding, at once where it is known, or quickly made. */
  coded(body: WholeBody, coding: Coding, isKept: boolean): Uint8Array | Promise<Uint8Array> {
    if (!isKept) return this.encode(body, coding)
    const made = this.madeOf(body)
    const known = made.coded[coding]
    if (known !== undefined) return known
    const coded = this.encode(body, coding)
    made.coded[coding] = coded
    if (!(coded instanceof Promise)) {
      this.grow(body, made, coded.length)
      return coded
    }
    return coded.then(
      (bytes) => {
        made.coded[coding] = bytes
        this.grow(body, made, bytes.length)
        return bytes
      },
      (error) => {
        delete made.coded[coding]
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
    const coded = encode(coding, typeof body === 'string' ? Buffer.from(body) : body)
    return coded instanceof Promise ? coded.finally(this.compressing()) : coded
  }

  private madeOf(body: WholeBody): Made {
    const known = this.made.get(body)
    if (known !== undefined) return known
    const bytes = typeof body === 'string' ? 2 * body.length : body.length
    const made: Made = { coded: {}, size: 0 }
    this.made.set(body, made)
    this.grow(body, made, ENTRY_BYTES + bytes)
    return made
  }

  private grow(body: WholeBody, made: Made, bytes: number): void {
    // It may have had to go meanwhile.
    if (this.made.get(body) !== made) return
    made.size += bytes
    this.size += bytes
    for (const [oldest, { size }] of this.made) {
      if (this.size <= this.most.bytes) return
      this.made.delete(oldest)
      this.size -= size
    }
  }
}
