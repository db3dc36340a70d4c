import type { InTurn } from '../acme/in-turn.ts'
import type { SiteKeepers } from '../acme/site-keepers.ts'
import { CertificateWatch } from '../certificates/certificate-watch.ts'
import { covers } from '../certificates/covers.ts'
import {
  type CertificatePair,
  certificateFiles,
  loadOrCreateCertificate,
} from '../certificates/load-or-create-certificate.ts'
import { SelfMadeHosts } from '../certificates/self-made-hosts.ts'
import { ownHosts } from '../config/site-origin.ts'
import type { Config } from '../config.ts'
import { publicName } from '../domain/site-domain.ts'
import { reservedSlug, siteHost } from '../domain/site-hosts.ts'
import type { TlsIdentity } from '../http/connection/tls-identity.ts'
import type { Log } from '../http/log/log.ts'
import { rareWarning } from '../http/log/rare-warning.ts'
import { siteHostsOf } from '../sites/site-hosts-of.ts'
import type { SqliteStore } from '../storage/sqlite/client/sqlite-store.ts'
import type { HttpService } from './open-http.ts'
import { warnOfSites } from './warn-of-sites.ts'

interface SiteCertificatesParts {
  readonly config: Config
  /** What is served where a client asks for no site. */
  readonly tls: TlsIdentity
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Lets one order of a certificate be placed at a time. */
  readonly inTurn: InTurn
  readonly store: Pick<SqliteStore, 'directory'>
}

/** How often certificates of hosts that are gone are removed. */
const SWEEP_MS = 24 * 60 * 60 * 1000

/** @throws AppError `invalid_certificate` where the operator's certificate for sites can't be used */
export async function openSiteCertificates(parts: SiteCertificatesParts): Promise<SiteCertificates> {
  const { config, tls, inTurn, log, store } = parts
  const own = await ownCertificate(config)
  await warnOfSites(config, { certificates: [tls.cert, ...(own === undefined ? [] : [own.cert])], log })
  const certificates = new SiteCertificates(parts, own)
  if (config.acme?.sites !== true) return certificates
  // Loaded only where it was asked for.
  const { SiteKeepers } = await import('../acme/site-keepers.ts')
  const { registrableDomain } = await import('../domain/registrable-domain.ts')
  const wanted = (): Iterable<string> => certificates.wanted()
  const of = { dataDir: config.dataDir, authority: config.acme, log, inTurn, wanted }
  certificates.keepers = new SiteKeepers(
    { ...of, groupOf: registrableDomain },
    siteHostsOf(store.directory(), config.sitesDomain),
  )
  return certificates
}

/**
 * What hosts of sites are served with: their own certificate by ACME, else the operator's for sites where it is for the
 * host, else the main one where that is, else one that is made here.
 */
export class SiteCertificates {
  private readonly parts: SiteCertificatesParts
  private readonly selfMade: SelfMadeHosts
  private readonly warn: (message: string) => void
  private own: CertificatePair | undefined
  private main: TlsIdentity
  /** Of certificates by ACME, where hosts of sites get some. */
  keepers: Pick<SiteKeepers, 'current' | 'start' | 'stop' | 'keepOnly'> | undefined

  constructor(parts: SiteCertificatesParts, own: CertificatePair | undefined) {
    this.parts = parts
    this.own = own
    this.main = parts.tls
    this.warn = rareWarning(parts.log)
    this.selfMade = new SelfMadeHosts({ dataDir: parts.config.dataDir, warn: this.warn })
  }

  /** Undefined where it is the main certificate. It never rejects: what fails is said in the log. */
  async find(host: string): Promise<CertificatePair | undefined> {
    const issued = this.keepers?.current(host)
    if (issued !== undefined) return issued
    if (this.own !== undefined && covers(this.own.cert, host)) return this.own
    if (covers(this.main.cert, host)) return undefined
    try {
      return await this.selfMade.find(host)
    } catch (error) {
      this.warn(`https://${host} is served with the certificate for other names: ${(error as Error).message}`)
      return undefined
    }
  }

  /** Hosts of sites that are on line, where an authority can give a certificate and none that is there is for them. */
  *wanted(): Generator<string> {
    const { config, store } = this.parts
    const { sitesDomain: domain } = config
    const own = ownHosts(config, [])
    for (const { slug, live, domains } of store.directory().sites.values()) {
      if (live === null) continue
      const isBelow = domain !== undefined && reservedSlug(slug, { domain, ownHosts: own }) === undefined
      for (const host of isBelow ? [siteHost(slug, domain), ...domains] : domains)
        if (publicName(host) !== undefined && !host.endsWith('.localhost') && !this.isCovered(host))
          yield host
    }
  }

  private isCovered(host: string): boolean {
    return covers(this.main.cert, host) || (this.own !== undefined && covers(this.own.cert, host))
  }

  /** Notes what is served where a client asks for no site. */
  useMain(tls: TlsIdentity): void {
    this.main = tls
  }

  /** The operator's certificate for sites, where there is one. */
  get ownCertificate(): string | undefined {
    return this.own?.cert
  }

  /** Takes up what is replaced, and removes what is of use no more. Answers how to end that. */
  keepFresh(service: Pick<HttpService, 'renewHostCertificates'>): () => Promise<void> {
    const { config, log } = this.parts
    const timer = setInterval(() => this.sweep(), SWEEP_MS).unref()
    const reload = async (): Promise<void> => {
      this.own = await ownCertificate(config)
      service.renewHostCertificates()
    }
    const files = certificateFiles(config.dataDir, ownFiles(config))
    const isWatched = this.own !== undefined
    const watch = isWatched
      ? new CertificateWatch({ files, reload, isDue: () => false, onCheck: () => {}, log })
      : undefined
    this.keepers?.start(() => service.renewHostCertificates())
    return async () => {
      clearInterval(timer)
      watch?.close()
      await this.keepers?.stop()
    }
  }

  private async sweep(): Promise<void> {
    try {
      const { config, store } = this.parts
      const hosts = [...siteHostsOf(store.directory(), config.sitesDomain)]
      await this.selfMade.keepOnly(hosts)
      await this.keepers?.keepOnly(hosts)
    } catch (error) {
      this.warn(`certificates of sites that are gone can't be removed: ${(error as Error).message}`)
    }
  }
}

function ownFiles({ sitesCert, sitesKey }: Pick<Config, 'sitesCert' | 'sitesKey'>) {
  return { tlsCert: sitesCert, tlsKey: sitesKey }
}

async function ownCertificate(config: SiteCertificatesParts['config']): Promise<CertificatePair | undefined> {
  return config.sitesCert === undefined
    ? undefined
    : loadOrCreateCertificate(config.dataDir, ownFiles(config))
}
