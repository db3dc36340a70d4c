import { readFileSync } from 'node:fs'

/** Of Sheaf, such as `1.2.3`. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
