import { X509Certificate } from 'node:crypto'
import type { SecureContext, TlsOptions } from 'node:tls'
import { isSelfMade } from '../../certificates/self-signed.ts'
import { contextOf, type TlsIdentity } from './tls-identity.ts'

/** The certificates of hosts that have their own, as a thread that serves HTTP gets at them. */
export interface HostCertificates {
  /** Whether there can be one for a host, a name in lower case, at all; asked in each handshake. */
  isKnown(host: string): boolean
  /** What a host is served with; undefined where that is the certificate for all names. */
  find(host: string): Promise<TlsIdentity | undefined>
  /** Told of what kept one from being found; the client gets the certificate for all names. */
  onFailure(host: string, error: unknown): void
}

interface NamedContext {
  readonly context: SecureContext
  readonly isSelfMade: boolean
}

interface HostEntry {
  readonly found: Promise<NamedContext | undefined>
  /** When it was asked for, in milliseconds. */
  readonly at: number
  /** Undefined until it is found, and where there is none. */
  named?: NamedContext | undefined
}

/** A context takes some tens of KiB; those that were not asked for longest go first. */
const MOST_HOSTS = 500
/** After which a certificate is asked for again, for it may have been renewed. */
const GOOD_MS = 60 * 60 * 1000

/** What clients get who ask for a name (SNI, RFC 6066, section 3). */
export class NamedContexts {
  private readonly certificates: HostCertificates | undefined
  private readonly now: () => number
  private readonly hosts = new Map<string, HostEntry>()
  private localhost: NamedContext | undefined

  constructor(certificates?: HostCertificates, now: () => number = Date.now) {
    this.certificates = certificates
    this.now = now
  }

  /** Node's `addContext` would take the case of a name for a difference. */
  readonly SNICallback: NonNullable<TlsOptions['SNICallback']> = (name, done) => {
    const host = name.toLowerCase()
    if (host === 'localhost') done(null, this.localhost?.context)
    else if (this.certificates?.isKnown(host))
      this.find(host, this.certificates).then((named) => done(null, named?.context))
    else done(null, undefined)
  }

  /**
   * Has certificates of hosts asked for anew by those who connect from then on.
   * @param localhost the certificate for `localhost`; the one before stays without it
   */
  renew(localhost: NamedContext | undefined): void {
    this.localhost = localhost ?? this.localhost
    this.hosts.clear()
  }

  /** Whether a name is served with a certificate that was made here; undefined where that is for all names to say. */
  isSelfMade(name: string): boolean | undefined {
    const host = name.toLowerCase()
    if (host === 'localhost') return this.localhost?.isSelfMade
    if (this.certificates?.isKnown(host) !== true) return undefined
    const entry = this.hosts.get(host)
    // A session that was resumed has no certificate, and may be older than what is remembered.
    return entry === undefined ? true : entry.named?.isSelfMade
  }

  private find(host: string, certificates: HostCertificates): Promise<NamedContext | undefined> {
    const known = this.hosts.get(host)
    this.hosts.delete(host)
    const isGood = known !== undefined && Math.abs(this.now() - known.at) < GOOD_MS
    const entry = isGood ? known : this.ask(host, certificates)
    this.hosts.set(host, entry)
    if (this.hosts.size > MOST_HOSTS) this.hosts.delete(this.hosts.keys().next().value!)
    return entry.found
  }

  private ask(host: string, certificates: HostCertificates): HostEntry {
    const entry: HostEntry = {
      at: this.now(),
      found: certificates
        .find(host)
        .then((tls) => {
          entry.named = tls && namedContext(tls)
          return entry.named
        })
        .catch((error: unknown) => {
          if (this.hosts.get(host) === entry) this.hosts.delete(host)
          certificates.onFailure(host, error)
          return undefined
        }),
    }
    return entry
  }
}

export function namedContext(tls: TlsIdentity): NamedContext {
  return { context: contextOf(tls), isSelfMade: isSelfMade(new X509Certificate(tls.cert)) }
}
