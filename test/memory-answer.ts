import { AppError } from '../src/errors.ts'

/** What comes behind the first chunk of an answer. */
export async function* chunksOf(
  whole: string,
  chunkLength: number,
  isCancelled: (() => boolean) | undefined,
): AsyncGenerator<string> {
  for (let at = chunkLength; at < whole.length; at += chunkLength) {
    refuseCancelled(isCancelled)
    yield whole.slice(at, at + chunkLength)
  }
}

export function refuseCancelled(isCancelled: (() => boolean) | undefined): void {
  if (isCancelled?.()) throw new AppError('deadline_exceeded', 'nobody waits for the answer any more')
}
