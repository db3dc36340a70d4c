import { isAppSlug } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import type { OwnerContext } from './context.ts'

/** Deletes an app with all of its documents. @throws AppError `app_not_found` */
export async function deleteApp({ control, actor }: OwnerContext, slug: string): Promise<void> {
  if (!isAppSlug(slug)) throw new AppError('app_not_found', `there is no app ${JSON.stringify(slug)}`)
  return control.deleteApp(slug, actor)
}
