import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageVersion } from '../../config/package-version.ts'
import { configFrom } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { type AppFromBackup, createAppFromBackup } from '../../operations/create-app-from-backup.ts'
import type { MadeBackup, ReadApp } from '../../storage/backup-store.ts'
import { makeBackup } from '../../storage/sqlite/backup/make-backup.ts'
import { readApp } from '../../storage/sqlite/backup/read-app.ts'
import { type RestoredFolder, restoreFolder } from '../../storage/sqlite/backup/restore-folder.ts'
import { makeTemporaryFolder } from '../../storage/sqlite/files/temporary-folder.ts'
import { withControl } from '../with-control.ts'

export type { RestoredKeys } from '../../storage/account-changes.ts'
export type { MadeBackup } from '../../storage/backup-store.ts'

/** A file, or what comes on standard input. */
export type BackupSource = string | AsyncIterable<Uint8Array>

export interface DataFolderOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly options: { readonly data?: string }
}

export interface WantedBackup {
  /** Undefined for one that is read from a temporary file, and is gone then. */
  readonly file: string | undefined
  /** A slug; without it everything. */
  readonly app: string | undefined
  readonly hasSecrets: boolean
}

/**
 * Makes a backup of the data folder that the options name, beside a running server or without one: SQLite copies what is
 * there, whoever else has it open.
 * @param take is given what was made, before a temporary file is removed
 * @throws AppError `app_not_found`, `output_failed`, `store_unavailable`, and as `withControl` does
 */
export async function backUp(
  where: DataFolderOptions,
  { file, app, hasSecrets }: WantedBackup,
  take: (made: MadeBackup) => Promise<void>,
): Promise<void> {
  if (file !== undefined) await requireFile(file)
  const { dataDir } = configFrom(where.env, { data: where.options.data })
  const id = await withControl(where, async ({ control }) => {
    if (app === undefined) return undefined
    const found = (await control.listApps()).find(({ slug }) => slug === app)
    if (found === undefined) throw new AppError('app_not_found', `there is no app ${JSON.stringify(app)}`)
    return found.id
  })
  const job = makeTemporaryFolder(dataDir)
  try {
    const path = file ?? join(job.path, 'backup.zip')
    const command = { dataDir, path, app: id, hasSecrets, version: packageVersion(), now: Date.now() }
    await take(await makeBackup(command))
  } finally {
    job.remove()
  }
}

export interface WantedApp {
  readonly source: BackupSource
  /** The slugs that it gets, and that it had where there are several. */
  readonly slug: string
  readonly from: string | undefined
}

/**
 * Makes an app of one that a backup has, beside a running server or without one: nobody knows of the app's file before it
 * is whole.
 * @throws AppError as `readApp`, `createAppFromBackup` and `withControl` do
 */
export async function restoreApp(
  where: DataFolderOptions,
  { source, slug, from }: WantedApp,
): Promise<AppFromBackup & { readonly read: ReadApp }> {
  if (typeof source === 'string') await requireReadable(source)
  const { dataDir, limits } = configFrom(where.env, { data: where.options.data })
  return withControl(where, async (account) => {
    const job = makeTemporaryFolder(dataDir)
    try {
      const path = typeof source === 'string' ? source : join(job.path, 'backup.zip')
      if (typeof source !== 'string') await writeFile(path, source, { mode: 0o600 })
      const read = await readApp({ path, folder: job.path, from, limits, now: Date.now() })
      return { read, ...(await createAppFromBackup(account, { slug, read })) }
    } finally {
      job.remove()
    }
  })
}

/** Makes a data folder of a backup. @throws AppError as `restoreFolder` does, `invalid_configuration` */
export async function restoreAll(
  { env, options }: DataFolderOptions,
  source: BackupSource,
): Promise<RestoredFolder & { readonly dataDir: string }> {
  if (typeof source === 'string') await requireReadable(source)
  const { dataDir, limits } = configFrom(env, { data: options.data })
  return { dataDir, ...(await restoreFolder({ source, dataDir, limits })) }
}

/** @throws AppError `output_failed` where there is something that is no file: nothing takes the place of that */
async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile())
    throw new AppError('output_failed', `${path} is no file; name a new one, or one to be replaced`)
}

/** @throws AppError `invalid_backup` */
async function requireReadable(path: string): Promise<void> {
  const found = await stat(path).catch((cause: Error) => {
    throw new AppError('invalid_backup', `${path} can't be read: ${cause.message}`, { cause })
  })
  if (!found.isFile()) throw new AppError('invalid_backup', `${path} is no file`)
}
