import { rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import type { AppRecord } from '../../store.ts'
import { appFile } from '../files/data-folder.ts'

/*
 * Apps in the control file. Each function is a part of its caller's transaction.
 */

/** Ordered by slug. */
export function selectApps(db: DatabaseSync): AppRecord[] {
  return db
    .prepare('SELECT id, slug, created_at FROM apps ORDER BY slug')
    .all()
    .map((row) => ({ id: String(row.id), slug: String(row.slug), createdAt: Number(row.created_at) }))
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

export function removeAppFile(dataDir: string, id: string): void {
  const path = appFile(dataDir, id)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}
