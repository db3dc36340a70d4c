import { domainToASCII } from 'node:url'
import type { SiteNames } from './site-hosts.ts'

const PUBLIC_NAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** A full DNS name in lower case and ASCII, as authorities give certificates for; undefined for all else. */
export function publicName(text: string): string | undefined {
  // What begins as a URL is read as one, and all but its host passed over.
  const name = /[\s/\\?#@:%]/.test(text) ? '' : domainToASCII(text)
  return PUBLIC_NAME.test(name) ? name : undefined
}

/** Why a name can't be the domain of a site, in words that go behind the name; undefined where it can. */
export function domainProblem(
  domain: string,
  { domain: sites, ownHosts }: Pick<SiteNames, 'ownHosts'> & { readonly domain: string | undefined },
): string | undefined {
  if (ownHosts.has(domain)) return 'is an address of the server itself'
  if (domain.endsWith('.localhost')) return 'leads each machine to itself'
  if (sites !== undefined && `.${domain}`.endsWith(`.${sites}`))
    return `is below ${sites}, where the sites of all apps are`
  return undefined
}
