import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { FirstStart } from '../operations/provision.ts'

export type { FirstStart }

/** What `serve` prints on a first start, before it has made the app and the key. */
export function firstStartText({ appSlug, apiKey }: FirstStart): string {
  return `This is the first start. It makes
  an app      ${appSlug}
  an API key  ${apiKey}   (shown this once; keep it)

`
}

/** What `serve` prints when it is ready: the addresses, and on the first start how to begin. */
export function greeting(
  config: Config,
  { addresses, firstStart }: { addresses: readonly string[]; firstStart: FirstStart | undefined },
): string {
  const serving = `Sheaf serves ${addresses.join(' and ')}\n`
  if (firstStart === undefined) return serving
  const line = curlLine(config, { address: addresses[0] ?? '', ...firstStart })
  return `${serving}\nSave a first document:\n  ${line}\n`
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
