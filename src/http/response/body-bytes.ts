import type { WholeBody } from './encoded-body-cache.ts'

/** A body that comes in parts. */
export type BodyParts = AsyncIterable<string | Uint8Array>

/** Bytes that a part takes at most, by its units: a unit of UTF-16 is three of UTF-8 or fewer. */
const UNIT_BYTES = 3

/** The bytes of a body, part by part. */
export async function* bodyBytes(first: WholeBody, rest: BodyParts): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield Buffer.from(first as string)
  for await (const part of rest) yield typeof part === 'string' ? Buffer.from(part) : part
}

/**
 * The same, all texts in the same memory: each part is good until the next one is asked for. Of a long body the system would
 * otherwise have a hundred megabytes to give before the garbage collector knows that nobody needs them.
 */
export async function* passingBytes(first: WholeBody, rest: BodyParts): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield Buffer.from(first as string)
  let memory = Buffer.alloc(0)
  for await (const part of rest) {
    if (typeof part !== 'string') {
      yield part
      continue
    }
    if (memory.length < UNIT_BYTES * part.length) {
      const needed = Buffer.byteLength(part)
      if (memory.length < needed) memory = Buffer.allocUnsafeSlow(needed)
    }
    yield memory.subarray(0, memory.write(part))
  }
}
