import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import {
  bitString,
  boolean,
  objectIdentifier,
  octetString,
  positiveInteger,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from './der.ts'

/** By this name a certificate that was made here is known again, and may be renewed. */
export const SELF_MADE_ORGANISATION = 'Sheaf self-signed'

const HOUR_MS = 60 * 60 * 1000
/** The longest life that Apple's systems accept in a certificate that their user trusts. */
const LIFETIME_MS = 825 * 24 * HOUR_MS
const COMMON_NAME_CHARACTERS = 64
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/

const IPV4_LOOPBACK = Buffer.from([127, 0, 0, 1])
const IPV6_LOOPBACK = Buffer.from([...new Uint8Array(15), 1])

/** A new private key on P-256, as PKCS #8 in PEM. */
export function generateKeyPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/**
 * A certificate for this machine (RFC 5280), signed with its own key on P-256: for `localhost`, 127.0.0.1, ::1 and
 * the host name where that is a DNS name. It is no authority: whoever trusts it trusts this server and nothing
 * that its key might sign.
 */
export function selfSignedCertificate(options: { key: KeyObject; hostName: string; now: number }): string {
  const hostName = options.hostName.toLowerCase()
  const publicKey = createPublicKey(options.key).export({ type: 'spki', format: 'der' })
  const algorithm = sequence(objectIdentifier('1.2.840.10045.4.3.2')) // ecdsa-with-SHA256
  const name = distinguishedName(hostName)
  // An hour back, for a client whose clock is behind.
  const notBefore = options.now - HOUR_MS
  const toBeSigned = sequence(
    tagged(0, 'constructed', positiveInteger(Buffer.from([2]))), // version 3
    positiveInteger(randomBytes(16)),
    algorithm,
    name,
    sequence(time(notBefore), time(notBefore + LIFETIME_MS - 1000)),
    name,
    publicKey,
    tagged(3, 'constructed', extensions(hostName, publicKey)),
  )
  const signature = bitString(sign('sha256', toBeSigned, options.key))
  return pem(sequence(toBeSigned, algorithm, signature))
}

function distinguishedName(hostName: string): Buffer {
  const attribute = (oid: string, value: string) => set(sequence(objectIdentifier(oid), utf8String(value)))
  const commonName = isDnsName(hostName) && hostName.length <= COMMON_NAME_CHARACTERS ? hostName : 'localhost'
  return sequence(attribute('2.5.4.10', SELF_MADE_ORGANISATION), attribute('2.5.4.3', commonName))
}

function extensions(hostName: string, publicKey: Buffer): Buffer {
  const names = new Set(['localhost', ...(isDnsName(hostName) ? [hostName] : [])])
  const alternativeNames = [
    ...[...names].map((name) => tagged(2, 'primitive', Buffer.from(name))),
    tagged(7, 'primitive', IPV4_LOOPBACK),
    tagged(7, 'primitive', IPV6_LOOPBACK),
  ]
  const keyIdentifier = createHash('sha256').update(publicKey).digest().subarray(0, 20)
  return sequence(
    extension('2.5.29.19', 'critical', sequence()), // basic constraints: no authority
    extension('2.5.29.15', 'critical', bitString(Buffer.from([0x80]), 7)), // key usage: digital signature
    extension('2.5.29.37', 'optional', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))), // server authentication
    extension('2.5.29.17', 'optional', sequence(...alternativeNames)),
    extension('2.5.29.14', 'optional', octetString(keyIdentifier)),
    extension('2.5.29.35', 'optional', sequence(tagged(0, 'primitive', keyIdentifier))),
  )
}

function extension(oid: string, importance: 'critical' | 'optional', value: Buffer): Buffer {
  const critical = importance === 'critical' ? [boolean(true)] : []
  return sequence(objectIdentifier(oid), ...critical, octetString(value))
}

function isDnsName(text: string): boolean {
  return DNS_NAME.test(text) && !/^[\d.]+$/.test(text)
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
