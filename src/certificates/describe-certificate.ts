import { X509Certificate } from 'node:crypto'
import type { CertificateFacts } from '../domain/server-facts.ts'

/** What an operator is told of a certificate in PEM, the first where there are several. */
export function describeCertificate(cert: string | Buffer): Omit<CertificateFacts, 'source'> {
  const { subjectAltName, issuer, validFrom, validTo, fingerprint256 } = new X509Certificate(cert)
  return {
    names: namesOf(subjectAltName),
    issuer: issuer.split('\n').join(', '),
    validFrom: Date.parse(validFrom),
    validTo: Date.parse(validTo),
    fingerprint: fingerprint256,
  }
}

/** From `DNS:localhost, IP Address:127.0.0.1`, as Node.js writes them. */
function namesOf(subjectAltName: string | undefined): string[] {
  return subjectAltName?.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, '')) ?? []
}
