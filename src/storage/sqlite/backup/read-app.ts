import { join } from 'node:path'
import type { Limits } from '../../../domain/limits.ts'
import { AppError } from '../../../errors.ts'
import type { ReadApp } from '../../backup-store.ts'
import { appFromDescription } from './app-description.ts'
import { openBackup, requireRoom } from './backup-file.ts'
import type { ManifestApp } from './manifest.ts'
import { rebuildApp } from './rebuild-app.ts'

/** Its keys, of which there are 10,000 at most by default. */
const DESCRIPTION_BYTES = 64 * 1024 * 1024
/** Apps that a message names. */
const MOST_LISTED = 10

export interface ReadAppCommand {
  /** The backup. */
  readonly path: string
  /** A folder for what is made of it. */
  readonly folder: string
  /** Which app of several, by its slug. */
  readonly from?: string | undefined
  readonly limits: Limits
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * Reads one app of a backup that anybody may have made.
 * @throws AppError `invalid_backup`, `app_not_found` where it has no such app, `invalid_request` where it has several and
 * none is named, `too_many_keys`, `store_unavailable` where the disk has no room
 */
export async function readApp({ path, folder, from, limits, now }: ReadAppCommand): Promise<ReadApp> {
  const backup = await openBackup(path, limits)
  try {
    await requireRoom(backup, folder)
    const app = chosenApp(backup.manifest.apps, from)
    const described = appFromDescription(await backup.text(app.description, DESCRIPTION_BYTES), {
      now,
      most: limits.keys,
    })
    const copy = join(folder, 'copy.sqlite')
    const documents = join(folder, 'app.sqlite')
    await backup.extract(app.documents, copy)
    const counts = rebuildApp(copy, documents, limits)
    return { ...described, ...counts, path: documents }
  } finally {
    backup.close()
  }
}

function chosenApp(apps: readonly ManifestApp[], from: string | undefined): ManifestApp {
  if (from === undefined && apps.length > 1)
    throw new AppError(
      'invalid_request',
      `this is a backup of several apps; say which one is wanted (--from): ${listed(apps)}`,
    )
  const app = from === undefined ? apps[0] : apps.find(({ slug }) => slug === from)
  if (app !== undefined) return app
  throw new AppError('app_not_found', `the backup has no app ${quoted(from ?? '')}; it has ${listed(apps)}`)
}

function listed(apps: readonly ManifestApp[]): string {
  if (apps.length === 0) return 'none'
  const names = apps.slice(0, MOST_LISTED).map(({ slug }) => quoted(slug))
  const more = apps.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Bounded, for anybody may have made it. */
function quoted(slug: string): string {
  return JSON.stringify(slug.slice(0, 63))
}
