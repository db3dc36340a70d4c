import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a build was made of, so that tests can tell one of other sources. */
export function sourcesHash() {
  const hash = createHash('sha256')
  const files = globSync('{index.html,package.json,vite.config.ts,src/**/*.*}', { cwd: import.meta.dirname })
  for (const file of files.sort())
    hash.update(`${file}\n`).update(readFileSync(join(import.meta.dirname, file)))
  return hash.digest('hex')
}
