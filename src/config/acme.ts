import type { ConfigArgs } from '../config.ts'
import { publicName } from '../domain/site-domain.ts'
import {
  type Environment,
  integer,
  invalid,
  listSetting,
  type Range,
  setting,
  switchFrom,
} from './settings.ts'

/** By giving domains the operator agrees to the authority's terms of service. */
export interface AcmeConfig extends AcmeAuthority {
  /** DNS names in lower case and ASCII, at least one. */
  readonly domains: readonly string[]
  /** Whether hosts of sites get certificates, too, each its own. */
  readonly sites: boolean
}

interface AcmeAuthority {
  readonly email?: string
  /** The https address of the authority's directory. */
  readonly directory: string
  /** Where challenges are answered; the authority comes to port 80 of the domains. */
  readonly httpPort: number
}

const ACME_HTTP_PORTS: Range = { least: 1, most: 65_535 }
/** As many names as Let's Encrypt takes into one certificate. */
const ACME_DOMAINS = 100
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

export function acmeFrom(env: Environment, args: ConfigArgs): AcmeConfig | undefined {
  const domains = listSetting(args.acmeDomain, '--acme-domain', env.SHEAF_ACME_DOMAINS)
  const email = setting(args.acmeEmail, '--acme-email', env.SHEAF_ACME_EMAIL)
  const directory = setting(args.acmeDirectory, '--acme-directory', env.SHEAF_ACME_DIRECTORY)
  const httpPort = setting(args.acmeHttpPort, '--acme-http-port', env.SHEAF_ACME_HTTP_PORT)
  const sites = setting(args.acmeSites, '--acme-sites', env.SHEAF_ACME_SITES)
  if (domains.length === 0) {
    // An option that does nothing would let its giver believe in a certificate that never comes.
    if ((email ?? directory ?? httpPort ?? sites) === undefined) return undefined
    throw invalid('the options for ACME need a name to be for; give --acme-domain or SHEAF_ACME_DOMAINS')
  }
  if (domains.length > ACME_DOMAINS) throw invalid(`a certificate is for at most ${ACME_DOMAINS} names`)
  return Object.freeze({
    sites: switchFrom('--acme-sites', sites),
    domains: Object.freeze([...new Set(domains.map(acmeDomain))]),
    ...(email !== undefined && { email: emailFrom(email) }),
    directory: directoryFrom(directory ?? LETS_ENCRYPT),
    httpPort: integer(
      'the port for challenges (--acme-http-port, SHEAF_ACME_HTTP_PORT)',
      httpPort ?? '80',
      ACME_HTTP_PORTS,
    ),
  })
}

function acmeDomain(text: string): string {
  const name = publicName(text)
  if (name !== undefined) return name
  throw invalid(
    `${JSON.stringify(text)} is no name that an authority gives a certificate for; use a full DNS name such as ` +
      'sheaf.example.org, no address, no wildcard',
  )
}

function emailFrom(text: string): string {
  if (/^[^\s@,?:]+@[^\s@,?:]+$/.test(text)) return text
  throw invalid(`${JSON.stringify(text)} is no address for mail (--acme-email, SHEAF_ACME_EMAIL)`)
}

function directoryFrom(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' && url.username === '') return text
  throw invalid(
    `${JSON.stringify(text)} is no directory of ACME (--acme-directory, SHEAF_ACME_DIRECTORY); give its https address`,
  )
}
