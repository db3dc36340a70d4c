import { constants } from 'node:crypto'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import { AppError } from '../../errors.ts'

/** A server's private key and certificate chain, in PEM. */
export interface TlsIdentity {
  readonly key: string | Buffer
  readonly cert: string | Buffer
  /** Another pair for clients that ask for `localhost`, a name that no authority certifies. */
  readonly localhost?: TlsIdentity | undefined
}

/** Those of TLS 1.3, and of TLS 1.2 those with forward secrecy and authenticated encryption (RFC 9325, section 4.2). */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** @throws AppError `invalid_certificate` where no listener could take it */
export function checkIdentity(tls: TlsIdentity): void {
  try {
    contextOf(tls)
  } catch (error) {
    throw unusableCertificate(error)
  }
}

export function secureContext({ key, cert }: TlsIdentity): SecureContextOptions {
  const secureOptions = constants.SSL_OP_NO_RENEGOTIATION
  return { key, cert, minVersion: 'TLSv1.2', ciphers: CIPHERS, secureOptions }
}

export function contextOf(tls: TlsIdentity): SecureContext {
  return createSecureContext(secureContext(tls))
}

export function unusableCertificate(cause: unknown): AppError {
  return new AppError('invalid_certificate', 'the TLS certificate and key cannot be used together', { cause })
}
