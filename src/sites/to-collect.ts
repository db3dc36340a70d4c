import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the folder of a site: it may have files that no version names. */
const TO_COLLECT = 'to-collect'

/** @param folder of a site, here and below */
export function markToCollect(folder: string): void {
  writeFileSync(join(folder, TO_COLLECT), '', { mode: 0o600 })
}

export function unmarkToCollect(folder: string): void {
  rmSync(join(folder, TO_COLLECT), { force: true })
}

/** Apps, by their ids, whose files may be more than their versions name. */
export function sitesToCollect(dataDir: string): string[] {
  const root = join(dataDir, 'sites')
  if (!existsSync(root)) return []
  return readdirSync(root).filter((app) => existsSync(join(root, app, TO_COLLECT)))
}
