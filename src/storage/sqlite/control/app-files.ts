import { rmSync } from 'node:fs'
import { isAppId } from '../../accounts/directory-rows.ts'
import { appFile } from '../files/data-folder.ts'

/** Nothing is removed for an id that is none, for it becomes a part of a path. */
export function removeAppFile(dataDir: string, id: string): void {
  if (isAppId(id)) removeDatabase(appFile(dataDir, id))
}

/** With its write-ahead log and the index of that. */
export function removeDatabase(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}
