import { appSlug } from '../domain/names.ts'
import type { AppRecord } from '../storage/store.ts'
import type { AccountContext } from './account-context.ts'

/** @throws AppError `invalid_name`, `app_exists`, `too_many_apps` */
export async function createApp({ control, actor }: AccountContext, slug: string): Promise<AppRecord> {
  return control.createApp(appSlug(slug), actor)
}
