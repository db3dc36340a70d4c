import { X509Certificate } from 'node:crypto'

/** Whether a certificate in PEM, the first where there are several, is for a host (RFC 9525, section 6.3). */
export function covers(cert: string | Buffer, host: string): boolean {
  return new X509Certificate(cert).checkHost(host, { subject: 'never' }) !== undefined
}
