import { configFrom } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { type CompactedApp, compactApp } from '../../storage/sqlite/compact-app.ts'
import { withControl } from '../with-control.ts'
import type { DataFolderOptions } from './with-backups.ts'

/**
 * Compacts an app of the data folder that the options name, by its slug.
 * @throws AppError as `withControl` and `compactApp` do
 */
export async function compact(where: DataFolderOptions, slug: string): Promise<CompactedApp> {
  const { dataDir } = configFrom(where.env, { data: where.options.data })
  const app = await withControl(where, async ({ control }) =>
    (await control.listApps()).find((each) => each.slug === slug),
  )
  if (app === undefined) throw new AppError('app_not_found', `there is no app ${JSON.stringify(slug)}`)
  return compactApp({ dataDir, app: app.id, now: Date.now() })
}
