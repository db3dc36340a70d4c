import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { FirstStart } from '../operations/provision.ts'

/** Where a server is, and on the first start what it made. */
export interface Started {
  readonly addresses: readonly string[]
  readonly firstStart?: FirstStart | undefined
}

/** What `serve` prints once it listens: the addresses, and on the first start how to begin. */
export function greeting(config: Config, { addresses, firstStart }: Started): string {
  const serving = `Sheaf serves ${addresses.join(' and ')}\n`
  if (firstStart === undefined) return serving
  const { appSlug, apiKey } = firstStart
  return `${serving}
This is the first start. There is now
  an app      ${appSlug}
  an API key  ${apiKey}   (shown this once; keep it)

Save a first document:
  ${curlLine(config, { address: addresses[0] ?? '', appSlug, apiKey })}
`
}

function curlLine(config: Config, to: { address: string; appSlug: string; apiKey: string }): string {
  // A certificate of the operator's own is one that the client's system trusts.
  const trust =
    config.tlsCert === undefined ? `--cacert ${quoted(join(config.dataDir, 'tls', 'cert.pem'))} ` : ''
  const headers = `-H 'X-Service-API-Key: ${to.apiKey}' -H 'Content-Type: application/json'`
  const url = `${to.address}/apps/${to.appSlug}/collections/notes`
  return `curl ${trust}${headers} -d '{"text":"hello"}' ${url}`
}

/** A word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
