import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteFiles } from './site-files.ts'

/**
 * Removes what no kept version names. Where a kept manifest can't be read, nothing is removed: what it names is not known.
 * @param app by its id
 * @param kept hashes of manifests
 * @returns how many files were removed
 */
export async function collectGarbage(
  files: SiteFiles,
  app: string,
  kept: readonly string[],
): Promise<number> {
  const named = new Set(kept)
  for (const hash of kept)
    for (const file of (await files.readManifest(app, hash)).files.values()) named.add(file.hash)
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
