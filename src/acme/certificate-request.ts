import { createPrivateKey, createPublicKey } from 'node:crypto'
import { generateKeyPem } from '../certificates/self-signed.ts'

export interface CertificateRequest {
  /** A new private key on P-256, in PEM. */
  readonly key: string
  /** PKCS #10 (RFC 2986) in DER, as base64url. */
  readonly csr: string
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** Asks for a certificate for these DNS names and nothing else. */
export async function certificateRequest(domains: readonly string[]): Promise<CertificateRequest> {
  // Loaded when a certificate is due and not before. The library leaves the polyfill to the program.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const key = generateKeyPem()
  const privateKey = createPrivateKey(key)
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys: {
      privateKey: privateKey.toCryptoKey(P256, false, ['sign']),
      publicKey: createPublicKey(privateKey).toCryptoKey(P256, true, ['verify']),
    },
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new x509.SubjectAlternativeNameExtension(domains.map((value) => ({ type: 'dns' as const, value }))),
    ],
  })
  return { key, csr: Buffer.from(request.rawData).toString('base64url') }
}
