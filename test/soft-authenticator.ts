import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Assertion, CreationOptions, Registration, RequestOptions } from '../src/credentials/passkeys.ts'

/** Bits of what an authenticator says (Web Authentication, section 6.1). */
const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** What a hostile client or authenticator says otherwise. */
export interface Otherwise {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly flags?: number
  readonly uses?: number
  readonly userHandle?: string | undefined
}

/** An authenticator with one passkey on ECDSA with P-256, and the browser before it. */
export class SoftAuthenticator {
  readonly id = randomBytes(32).toString('base64url')
  uses = 0
  private readonly origin: string
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  private userHandle = ''

  /** @param origin of the page */
  constructor(origin: string) {
    this.origin = origin
  }

  create(
    { challenge, user, rp }: CreationOptions,
    otherwise: Otherwise & { readonly format?: string; readonly statement?: Buffer } = {},
  ): Registration {
    this.userHandle = user.id
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(this.keys.publicKey)])
    const data = this.data(rp.id, { flags: PRESENT | VERIFIED | HAS_CREDENTIAL, ...otherwise }, credential)
    const { format = 'none', statement = Buffer.from([0xa0]) } = otherwise
    const attestation = [cborText('fmt'), cborText(format), cborText('attStmt'), statement]
    const object = Buffer.concat([Buffer.from([0xa3]), ...attestation, cborText('authData'), cborBytes(data)])
    return {
      id: this.id,
      clientDataJSON: this.clientData('webauthn.create', challenge, otherwise).toString('base64url'),
      attestationObject: object.toString('base64url'),
      transports: ['internal', 'made-up', 'usb'],
    }
  }

  get({ challenge, rpId }: RequestOptions, otherwise: Otherwise = {}): Assertion {
    const data = this.data(rpId, { uses: this.uses, ...otherwise })
    const client = this.clientData('webauthn.get', challenge, otherwise)
    const signed = Buffer.concat([data, sha256(client)])
    return {
      id: this.id,
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
      userHandle: 'userHandle' in otherwise ? otherwise.userHandle : this.userHandle,
    }
  }

  private data(rpId: string, otherwise: Otherwise, credential = Buffer.alloc(0)): Buffer {
    const { flags = PRESENT | VERIFIED, uses = 0 } = otherwise
    const count = Buffer.alloc(4)
    count.writeUInt32BE(uses)
    return Buffer.concat([sha256(otherwise.rpId ?? rpId), Buffer.from([flags]), count, credential])
  }

  private clientData(type: string, challenge: string, otherwise: Otherwise): Buffer {
    const { origin = this.origin } = otherwise
    const said = { type: otherwise.type ?? type, challenge: otherwise.challenge ?? challenge, origin }
    return Buffer.from(JSON.stringify({ ...said, crossOrigin: false }))
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** COSE_Key of a key on P-256 (RFC 9053, section 7.1.1), in canonical CBOR. */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  const [left, right] = [Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]
  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
  return Buffer.concat([head, cborBytes(left), Buffer.from([0x22]), cborBytes(right)])
}

/** RFC 8949, section 3.1; up to 65,535 bytes. */
function cborBytes(bytes: Buffer): Buffer {
  if (bytes.length < 256) return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
  return Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}
