import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
/** Exact JSON and queries are the server's own. */
const SOURCES = [
  'dashboard/{index.html,package.json,vite.config.ts}',
  'dashboard/src/**/*.*',
  'src/errors.ts',
  'src/domain/*.ts',
  'src/import/import-options.ts',
  'src/query/*.ts',
  'src/json/*.ts',
]

/** What a build was made of, so that tests can tell one of other sources. */
export function sourcesHash() {
  const hash = createHash('sha256')
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts'] })
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}
