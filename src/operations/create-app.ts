import { appSlug } from '../domain/names.ts'
import type { AppRecord } from '../storage/store.ts'
import type { OwnerContext } from './context.ts'

/**
 * @param show called before the app is there; where it throws, none is made
 * @throws AppError `invalid_name`, `app_exists`, `too_many_apps`
 */
export async function createApp(
  { control, actor, owner }: OwnerContext,
  slug: string,
  show?: (record: AppRecord) => void,
): Promise<AppRecord> {
  return control.createApp({ slug: appSlug(slug), owner }, actor, show)
}
