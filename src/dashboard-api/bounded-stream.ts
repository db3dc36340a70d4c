import type { AppError } from '../errors.ts'

/** The chunks of a body, of which no more than so many bytes are taken. @throws AppError `tooMuch`'s, in the loop */
export async function* boundedStream(
  chunks: AsyncIterable<Buffer>,
  mostBytes: number,
  tooMuch: () => AppError,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > mostBytes) throw tooMuch()
    yield chunk
  }
}
