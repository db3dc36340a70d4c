import { isAppSlug } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import type { AppRecord } from '../storage/store.ts'
import type { OwnerContext } from './context.ts'

/** Brings a deleted app back, with its documents and shares. @throws AppError `app_not_found` */
export async function restoreApp({ control, actor }: OwnerContext, slug: string): Promise<AppRecord> {
  if (!isAppSlug(slug)) throw new AppError('app_not_found', `there is no app ${JSON.stringify(slug)}`)
  return control.restoreApp(slug, actor)
}
