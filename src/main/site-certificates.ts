import { CertificateWatch } from '../certificates/certificate-watch.ts'
import { covers } from '../certificates/covers.ts'
import {
  type CertificatePair,
  certificateFiles,
  loadOrCreateCertificate,
} from '../certificates/load-or-create-certificate.ts'
import { SelfMadeHosts } from '../certificates/self-made-hosts.ts'
import type { Config } from '../config.ts'
import type { TlsIdentity } from '../http/connection/tls-identity.ts'
import type { Log } from '../http/log/log.ts'
import { rareWarning } from '../http/log/rare-warning.ts'
import { siteHostsOf } from '../sites/site-hosts-of.ts'
import type { SqliteStore } from '../storage/sqlite/client/sqlite-store.ts'
import type { HttpService } from './open-http.ts'

interface SiteCertificatesParts {
  readonly config: Pick<Config, 'dataDir' | 'sitesCert' | 'sitesKey' | 'sitesDomain'>
  /** What is served where a client asks for no site. */
  readonly tls: TlsIdentity
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly store: Pick<SqliteStore, 'directory'>
}

/** How often certificates of hosts that are gone are removed. */
const SWEEP_MS = 24 * 60 * 60 * 1000

/** @throws AppError `invalid_certificate` where the operator's certificate for sites can't be used */
export async function openSiteCertificates(parts: SiteCertificatesParts): Promise<SiteCertificates> {
  return new SiteCertificates(parts, await ownCertificate(parts.config))
}

/**
 * What hosts of sites are served with: the operator's certificate for sites where it is for the host, else the main one
 * where that is, else one that is made here.
 */
export class SiteCertificates {
  private readonly parts: SiteCertificatesParts
  private readonly selfMade: SelfMadeHosts
  private readonly warn: (message: string) => void
  private own: CertificatePair | undefined
  private main: TlsIdentity

  constructor(parts: SiteCertificatesParts, own: CertificatePair | undefined) {
    this.parts = parts
    this.own = own
    this.main = parts.tls
    this.warn = rareWarning(parts.log)
    this.selfMade = new SelfMadeHosts({ dataDir: parts.config.dataDir, warn: this.warn })
  }

  /** Undefined where it is the main certificate. It never rejects: what fails is said in the log. */
  async find(host: string): Promise<CertificatePair | undefined> {
    if (this.own !== undefined && covers(this.own.cert, host)) return this.own
    if (covers(this.main.cert, host)) return undefined
    try {
      return await this.selfMade.find(host)
    } catch (error) {
      this.warn(`https://${host} is served with the certificate for other names: ${(error as Error).message}`)
      return undefined
    }
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
  keepFresh(service: Pick<HttpService, 'renewHostCertificates'>): () => void {
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
    return () => {
      clearInterval(timer)
      watch?.close()
    }
  }

  private async sweep(): Promise<void> {
    try {
      const { config, store } = this.parts
      await this.selfMade.keepOnly(siteHostsOf(store.directory(), config.sitesDomain))
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
