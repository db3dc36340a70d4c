import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { SiteFiles } from '../../../sites/site-files.ts'
import { isAppId } from '../../accounts/directory-rows.ts'
import { appFile } from '../files/data-folder.ts'

/** Nothing is removed for an id that is none, for it becomes a part of a path. */
export function removeAppFile(dataDir: string, id: string): void {
  if (isAppId(id)) removeDatabase(appFile(dataDir, id))
}

/** The files of its site, of which there may be many. As above. */
export async function removeSiteFiles(dataDir: string, id: string): Promise<void> {
  if (isAppId(id)) await rm(new SiteFiles(dataDir).folderOf(id), { recursive: true, force: true })
}

/** With its write-ahead log and the index of that. */
export function removeDatabase(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}
