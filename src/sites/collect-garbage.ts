import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import type { SiteManifest } from './manifest.ts'
import type { SiteFiles } from './site-files.ts'

/**
 * Removes what no kept version names. Where a kept manifest can't be read, nothing is removed: what it names is not known.
 * @param app by its id
 * @param kept hashes of manifests
 * @returns how many files were removed
 * @throws AppError `store_unavailable` where nothing is removed
 */
export async function collectGarbage(
  files: SiteFiles,
  app: string,
  kept: readonly string[],
): Promise<number> {
  const named = new Set(kept)
  for (const hash of kept)
    for (const file of (await readKept(files, app, hash)).files.values()) named.add(file.hash)
  const root = files.filesOf(app)
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return 0
  let removed = 0
  for (const part of readdirSync(root))
    for (const name of readdirSync(join(root, part))) {
      if (named.has(name.slice(0, 64))) continue
      rmSync(join(root, part, name), { force: true })
      removed++
    }
  return removed
}

function readKept(files: SiteFiles, app: string, hash: string): Promise<SiteManifest> {
  return files.readManifest(app, hash).catch((cause: unknown) => {
    throw new AppError(
      'store_unavailable',
      `old files of the site of the app ${app} stay, for the manifest ${hash} of one of its versions can not be read; deploy that version again, or delete it`,
      { cause },
    )
  })
}
