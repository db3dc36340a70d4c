import { AppError } from '../../../errors.ts'
import type { Lost } from '../protocol/requests.ts'

/** A read is answered with all that there was, or not as a whole one. @throws AppError `changed_meanwhile` */
export function requireThere(chunk: Lost): void {
  if (chunk.isGone === true)
    throw new AppError(
      'changed_meanwhile',
      'the collection was removed with its documents while it was read; ask again',
    )
}
