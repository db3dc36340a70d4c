import type { IncomingMessage } from 'node:http'

/** What Node and this server keep of a request that waits, beside its headers and its body: 1.5 KB, by measurement. */
const REQUEST_BYTES = 2 * 1024
/** What a name or a value takes, which may be as short as nothing: 27 to 63 bytes. */
const HEADER_BYTES = 64
/** What a piece of a body takes, which may be one byte long: 210 bytes. */
const PIECE_BYTES = 256

/** What all that waits may take, in bytes. */
const ALL_BYTES = 128 * 1024 * 1024
/** One connection may take so much of what is free: when many want much, each has the same. */
const SHARE = 1 / 16
/** What every connection may take. */
const LEAST_BYTES = 32 * 1024

/** What one connection has waiting. */
export interface Waiting {
  /** The memory that it takes, in bytes. */
  bytes: number
  /** The last request that was counted; its body was not yet. */
  newest: IncomingMessage | undefined
}

/**
 * The memory that requests take which clients send ahead of their turn. Node's parser makes requests of all that one read
 * brings, and some are a hundred times as large in memory as on the wire.
 */
export class Backlog {
  private bytes = 0

  /** Counts another request; answers whether its connection has room for it. */
  add(waiting: Waiting, request: IncomingMessage): boolean {
    this.addBody(waiting)
    this.take(waiting, REQUEST_BYTES + HEADER_BYTES * request.rawHeaders.length + request.url!.length)
    waiting.newest = request
    return this.hasRoom(waiting)
  }

  /** Counts the body of the request that was counted last, as far as it has come and nobody has read it. */
  addBody(waiting: Waiting): void {
    if (waiting.newest === undefined) return
    const { readableLength, readableBuffer } = waiting.newest as IncomingMessage & Buffering
    this.take(waiting, readableLength + PIECE_BYTES * readableBuffer.length)
    waiting.newest = undefined
  }

  hasRoom({ bytes }: Waiting): boolean {
    return bytes <= Math.max(LEAST_BYTES, (ALL_BYTES - this.bytes) * SHARE)
  }

  /** Counts what a connection has waiting no more. */
  clear(waiting: Waiting): void {
    this.bytes -= waiting.bytes
    waiting.bytes = 0
    waiting.newest = undefined
  }

  private take(waiting: Waiting, bytes: number): void {
    this.bytes += bytes
    waiting.bytes += bytes
  }
}

/** Node has this beside the `readableLength` that it documents. */
interface Buffering {
  readonly readableBuffer: { readonly length: number }
}
