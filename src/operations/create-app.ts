import { appSlug } from '../domain/names.ts'
import type { AppRecord, ControlStore } from '../storage/store.ts'

/** @throws AppError `invalid_name`, `app_exists` */
export async function createApp(control: ControlStore, slug: string): Promise<AppRecord> {
  return control.createApp(appSlug(slug))
}
