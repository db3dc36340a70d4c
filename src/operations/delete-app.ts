import { isAppSlug } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import type { OwnerContext } from './context.ts'

/**
 * Deletes an app; until the time that is answered it can be restored. `isAtOnce` removes it with all of its documents, also
 * where it was deleted before, and answers null.
 * @throws AppError `app_not_found`
 */
export async function deleteApp(
  { control, actor }: OwnerContext,
  { slug, isAtOnce = false }: { readonly slug: string; readonly isAtOnce?: boolean | undefined },
): Promise<{ readonly restorableUntil: number | null }> {
  if (!isAppSlug(slug)) throw new AppError('app_not_found', `there is no app ${JSON.stringify(slug)}`)
  if (!isAtOnce) return control.deleteApp(slug, actor)
  await control.removeApp(slug, actor)
  return { restorableUntil: null }
}
