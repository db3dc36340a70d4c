import { createPublicKey, generateKeyPairSync, type KeyObject, type X509Certificate } from 'node:crypto'

/** By this name a certificate that was made here is known again, and may be renewed. */
const SELF_MADE_ORGANISATION = 'Sheaf self-signed'

const HOUR_MS = 60 * 60 * 1000
/** The longest life that Apple's systems accept in a certificate that their user trusts. */
const LIFETIME_MS = 825 * 24 * HOUR_MS
const COMMON_NAME_CHARACTERS = 64
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/
const P256 = { name: 'ECDSA', namedCurve: 'P-256' }

/** Certificates of some authorities, Let's Encrypt among them, have no subject, whatever the type says. */
export function isSelfMade({
  subject,
}: {
  readonly subject: X509Certificate['subject'] | undefined
}): boolean {
  if (subject === undefined) return false
  return subject.split('\n').includes(`O=${SELF_MADE_ORGANISATION}`)
}

/** A new private key on P-256, as PKCS #8 in PEM. */
export function generateKeyPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/**
 * A certificate for this machine (RFC 5280) in PEM, signed with its own key on P-256: for `localhost`, 127.0.0.1,
 * ::1 and the host name where that is a DNS name. It is no authority: whoever trusts it trusts this server and
 * nothing that its key might sign.
 */
export function selfSignedCertificate(options: {
  key: KeyObject
  hostName: string
  now: number
}): Promise<string> {
  const { hostName, ...rest } = options
  return sign({ ...rest, names: dnsNames(hostName.toLowerCase()), addresses: ['127.0.0.1', '::1'] })
}

/** The same for one host, a DNS name in lower case, and nothing else. */
export function selfSignedHostCertificate(options: {
  key: KeyObject
  host: string
  now: number
}): Promise<string> {
  const { host, ...rest } = options
  return sign({ ...rest, names: [host], addresses: [] })
}

async function sign({
  key,
  names,
  addresses,
  now,
}: {
  key: KeyObject
  names: readonly string[]
  addresses: readonly string[]
  now: number
}): Promise<string> {
  const x509 = await loadX509()
  const commonName = names.findLast((name) => name.length <= COMMON_NAME_CHARACTERS)
  const publicKey = createPublicKey(key).toCryptoKey(P256, true, ['verify'])
  const privateKey = key.toCryptoKey(P256, false, ['sign'])
  // An hour back, for a client whose clock is behind.
  const notBefore = now - HOUR_MS
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ O: [SELF_MADE_ORGANISATION] }, ...(commonName === undefined ? [] : [{ CN: [commonName] }])],
    keys: { publicKey, privateKey },
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    notBefore: new Date(notBefore),
    notAfter: new Date(notBefore + LIFETIME_MS - 1000),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(publicKey),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

/** Loaded when a certificate is made and not before: no other start pays its 80 ms and 25 MB. */
async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  // The library's injector needs this polyfill, and leaves it to the program to choose one.
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

function dnsNames(hostName: string): string[] {
  const isDnsName = DNS_NAME.test(hostName) && !/^[\d.]+$/.test(hostName)
  return [...new Set(['localhost', ...(isDnsName ? [hostName] : [])])]
}
