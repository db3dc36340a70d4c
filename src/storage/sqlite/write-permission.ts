import { AppError } from '../../errors.ts'
import type { Permitted } from '../store.ts'

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
