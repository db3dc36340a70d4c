import { covers } from '../certificates/covers.ts'
import { ownHosts } from '../config/site-origin.ts'
import type { Config } from '../config.ts'
import { publicName } from '../domain/site-domain.ts'
import { siteHost } from '../domain/site-hosts.ts'
import type { Log } from '../http/log/log.ts'

/** Says what an operator should know of where the sites are. @param certificates in PEM, of those that are served */
export async function warnOfSites(
  config: Pick<Config, 'host' | 'publicUrl' | 'acme' | 'sitesDomain'>,
  {
    certificates,
    log,
  }: { readonly certificates: readonly (string | Buffer)[]; readonly log: Pick<Log, 'warn'> },
): Promise<void> {
  const { sitesDomain, acme } = config
  if (sitesDomain === undefined || isLocal(sitesDomain)) return
  // Takes 40 ms, which the usual start is spared.
  const { registrableDomain } = await import('../domain/registrable-domain.ts')
  const registered = registrableDomain(sitesDomain)
  const near = [...ownHosts(config, [])].find(
    (host) => publicName(host) !== undefined && registrableDomain(host) === registered,
  )
  if (near !== undefined)
    log.warn(
      `sites below ${sitesDomain} and this server at ${near} share the domain ${registered}: to browsers they are one site, so that a page of any app's site can set cookies for ${registered} and is sent along as the same site; what protects the dashboard doesn't rely on that, but a domain for sites alone is better`,
    )
  const host = siteHost('a', sitesDomain)
  if (acme?.sites !== true && !certificates.some((cert) => covers(cert, host)))
    log.warn(
      `no certificate is for the names below ${sitesDomain}, so that browsers warn of each site; give a wildcard by --sites-cert, or have certificates made by --acme-domain`,
    )
}

function isLocal(domain: string): boolean {
  return `.${domain}`.endsWith('.localhost')
}
