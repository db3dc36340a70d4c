import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** A certificate with its key, both in PEM, and what a renewal needs to know of it. */
export interface StoredCertificate {
  readonly cert: string
  readonly key: string
  readonly validFrom: number
  readonly validTo: number
  isFor(domain: string): boolean
}

/** @throws Error when the two don't fit, or TLS can't be spoken with them */
export function storedCertificate({ cert, key }: { cert: string; key: string }): StoredCertificate {
  const leaf = new X509Certificate(cert)
  if (!leaf.checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key belongs to another certificate')
  createSecureContext({ cert, key })
  return {
    cert,
    key,
    validFrom: Date.parse(leaf.validFrom),
    validTo: Date.parse(leaf.validTo),
    isFor: (domain) => leaf.checkHost(domain, { subject: 'never', wildcards: false }) !== undefined,
  }
}
