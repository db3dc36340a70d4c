import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { FirstStart } from '../operations/provision.ts'
import { shellWord } from './shell-word.ts'

export type { FirstStart }

/** What `serve` prints on a first start, before it has made the app and the key. */
export function firstStartText({ appSlug, apiKey }: FirstStart): string {
  return `This is the first start. It makes
  an app      ${appSlug}
  an API key  ${apiKey}   (shown this once; keep it)

`
}

interface Greeted {
  readonly addresses: readonly string[]
  /** Where there is no account yet. */
  readonly setupLink?: string | undefined
  readonly firstStart: FirstStart | undefined
}

/** What `serve` prints when it is ready: the addresses, and where something is missing yet, how to begin. */
export function greeting(config: Config, { addresses, setupLink, firstStart }: Greeted): string {
  const parts = [`Sheaf serves ${addresses.join(' and ')}\n`]
  if (setupLink !== undefined) parts.push(`${setupLinkText(setupLink)}\n`)
  if (firstStart !== undefined)
    parts.push(
      `Save a first document:\n  ${curlLine(config, { address: addresses[0] ?? '', ...firstStart })}\n`,
    )
  return parts.join('\n')
}

/** What says what a link for the first account is for. */
export function setupLinkText(link: string): string {
  return `Make the first account within 24 hours:\n  ${link}`
}

function curlLine(config: Config, to: { address: string; appSlug: string; apiKey: string }): string {
  // A certificate of the operator's own is one that the client's system trusts.
  const trust =
    config.tlsCert === undefined ? `--cacert ${shellWord(join(config.dataDir, 'tls', 'cert.pem'))} ` : ''
  const headers = `-H 'X-Service-API-Key: ${to.apiKey}' -H 'Content-Type: application/json'`
  const url = `${to.address}/apps/${to.appSlug}/collections/notes`
  return `curl ${trust}${headers} -d '{"text":"hello"}' ${url}`
}
