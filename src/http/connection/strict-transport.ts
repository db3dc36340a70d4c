import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isSelfMade } from '../../certificates/self-signed.ts'
import type { NamedContexts } from './named-contexts.ts'
import type { TlsIdentity } from './tls-identity.ts'

/** For a year, this host is spoken to in HTTPS (RFC 6797); names and values in turn. */
export const HSTS_HEADERS: readonly string[] = Object.freeze([
  'Strict-Transport-Security',
  'max-age=31536000',
])

/**
 * Which connections carry `Strict-Transport-Security`: those whose certificate was given, or came from an authority. A
 * browser that has seen the header offers no way past its warning any more, on any port of the host, so that with a
 * certificate that was made here it would lock its user out of everything else there.
 */
export class StrictTransport {
  private readonly connections = new WeakSet<Socket>()
  private readonly names: Pick<NamedContexts, 'isSelfMade'>
  private isSelfMade = true

  constructor(names: Pick<NamedContexts, 'isSelfMade'>) {
    this.names = names
  }

  /** Says what new connections are served with that ask for no name that has a certificate of its own. */
  use({ cert }: TlsIdentity): void {
    this.isSelfMade = isSelfMade(new X509Certificate(cert))
  }

  /** Notes which certificate a connection has got, when its handshake is done. */
  add(socket: Socket): void {
    const { servername } = socket as TLSSocket & { servername?: string | false }
    const isNamedSelfMade = typeof servername === 'string' ? this.names.isSelfMade(servername) : undefined
    if (!(isNamedSelfMade ?? this.isSelfMade)) this.connections.add(socket)
  }

  /** Whether answers on a connection carry the header; never without TLS (RFC 6797, section 7.2). */
  has(socket: Socket): boolean {
    return this.connections.has(socket)
  }
}
