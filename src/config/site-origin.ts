import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Config } from '../config.ts'
import { hostName } from '../domain/site-hosts.ts'
import { invalid } from './settings.ts'

/** So that the longest label and its dot before it make no more than the 253 characters of a name. */
const DOMAIN =
  /^(?=.{1,189}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * The domain below which sites are served, in lower case and ASCII; undefined where there are none.
 * @throws AppError `invalid_configuration`
 */
export function sitesDomainFrom(text: string): string | undefined {
  if (text === 'off') return undefined
  // What an address has behind or inside its name would be dropped without a word.
  const domain = /[\s/\\?#]/.test(text) ? '' : domainToASCII(text.replace(/\.$/, ''))
  if (DOMAIN.test(domain) && isIP(domain) === 0) return domain
  throw invalid(
    `${JSON.stringify(text)} is no domain for sites (--sites-domain, SHEAF_SITES_DOMAIN): give one whose names lead ` +
      'here, such as sites.example.org, no URL, no address, no wildcard; or off',
  )
}

/**
 * Hosts by which the API and the dashboard are reached, so that no site can be there.
 * @param certified names that the server's own certificate is for
 */
export function ownHosts(
  { host, publicUrl, acme }: Pick<Config, 'host' | 'publicUrl' | 'acme'>,
  certified: readonly string[],
): ReadonlySet<string> {
  const named = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return new Set([host, ...named, ...(acme?.domains ?? []), ...certified].map(hostName))
}

/** The address of a site: with the port of the public URL, else with the one that is listened on. */
export function siteUrl({ publicUrl }: Pick<Config, 'publicUrl'>, port: number, host: string): string {
  if (publicUrl === undefined) return new URL(`https://${host}:${port}`).origin
  const { port: publicPort } = new URL(publicUrl)
  return publicPort === '' ? `https://${host}` : `https://${host}:${publicPort}`
}
