import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { isAppSlug } from '../../../domain/names.ts'
import { AppError } from '../../../errors.ts'
import type { AppRecord } from '../../store.ts'
import { appFile } from '../files/data-folder.ts'
import { storedTime } from './stored-times.ts'

/*
 * Apps in the control file. Each function is a part of its caller's transaction.
 */

/** Ordered by slug. */
export function selectApps(db: DatabaseSync): AppRecord[] {
  const statement = db.prepare('SELECT id, slug, created_at FROM apps ORDER BY slug')
  // One number that a double can't hold would fail the whole statement.
  statement.setReadBigInts(true)
  return statement.all().map((row) => ({
    id: String(row.id),
    slug: String(row.slug),
    createdAt: storedTime(row.created_at) ?? 0,
  }))
}

/** Whether an app can be one: its id becomes the name of a file. */
export function isWholeApp({ id, slug }: AppRecord): boolean {
  return isAppId(id) && isAppSlug(slug)
}

function isAppId(id: string): boolean {
  return /^[0-9A-Za-z]{1,64}$/.test(id)
}

/** @throws AppError `app_exists`, `too_many_apps` */
export function refuseNewApp(db: DatabaseSync, { slug, most }: { slug: string; most: number }): void {
  if (db.prepare('SELECT 1 FROM apps WHERE slug = ?').get(slug) !== undefined)
    throw new AppError('app_exists', `there is an app "${slug}" already`)
  const { count } = db.prepare('SELECT count(*) AS count FROM apps').get()!
  if (Number(count) >= most)
    throw new AppError(
      'too_many_apps',
      `there may be at most ${most} apps; delete one that is not used, or raise the limit`,
    )
}

export function insertApp(db: DatabaseSync, { id, slug, createdAt }: AppRecord): void {
  db.prepare('INSERT INTO apps(id, slug, created_at) VALUES (?, ?, ?)').run(id, slug, createdAt)
}

/** Removes the documents of apps that were deleted. */
export function removeDeletedApps(db: DatabaseSync, dataDir: string): void {
  for (const { id } of db.prepare('SELECT id FROM removed_apps').all()) {
    removeAppFile(dataDir, String(id))
    db.prepare('DELETE FROM removed_apps WHERE id = ?').run(String(id))
  }
}

/** Nothing is removed for an id that is none, for it becomes a part of a path. */
export function removeAppFile(dataDir: string, id: string): void {
  if (!isAppId(id)) return
  const path = appFile(dataDir, id)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}
