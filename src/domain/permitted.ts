import { AppError } from '../errors.ts'

/**
 * What a write may turn out to be. One that turns out otherwise is refused with `permission_denied`, and nothing of
 * it is done: only the store can know, inside the transaction.
 */
export interface Permitted {
  readonly create: boolean
  readonly update: boolean
}

/** For a write that found no document. @throws AppError `permission_denied` */
export function requireCreate({ create }: Permitted): void {
  if (!create)
    throw new AppError(
      'permission_denied',
      'this API key may not create documents, and this would make a new one',
    )
}

/** For a write that found a document. @throws AppError `permission_denied` */
export function requireUpdate({ update }: Permitted): void {
  if (!update)
    throw new AppError(
      'permission_denied',
      'this API key may not update documents, and this would overwrite one',
    )
}
