import { createHmac } from 'node:crypto'
import { NOW, TOKEN_SECRET } from '../key-directory.ts'

/** A key as its owner has it, and the id by which its tokens name it. */
export interface HeldKey {
  readonly apiKey: string
  readonly keyId: string
}

/** A way to present a key. */
export interface CredentialCase {
  readonly name: string
  readonly headers?: (key: HeldKey) => Readonly<Record<string, string>>
  /** What goes into the query string. */
  readonly parameter?: (key: HeldKey) => string
  /** What becomes of every request, where that is no good credential. */
  readonly refused?: readonly [status: number, code: string]
}

const SECONDS = Math.floor(NOW / 1000)
const UNKNOWN_KEY = `shf_${'0'.repeat(40)}`
const INVALID: CredentialCase['refused'] = [401, 'invalid_credentials']

/** HS256 by hand (RFC 7515, RFC 7519), so that the code that makes tokens is not what says that they are good. */
function token({ keyId }: HeldKey, { secret = TOKEN_SECRET.secret, exp = SECONDS + 60 } = {}): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = part({ alg: 'HS256', typ: 'JWT', kid: TOKEN_SECRET.kid })
  const signed = `${header}.${part({ kid: keyId, iss: 'sheaf', iat: SECONDS - 100, exp })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

export const GOOD_CREDENTIALS: readonly CredentialCase[] = [
  { name: 'key', headers: ({ apiKey }) => ({ 'X-Service-API-Key': apiKey }) },
  { name: 'key in the header of a sibling', headers: ({ apiKey }) => ({ 'x-sibling-api-key': apiKey }) },
  { name: 'token with its prefix', headers: (key) => ({ 'X-Service-API-Key': `token:${token(key)}` }) },
  { name: 'bearer', headers: (key) => ({ Authorization: `Bearer ${token(key)}` }) },
  { name: 'bearer in small letters', headers: (key) => ({ authorization: `bearer ${token(key)}` }) },
  { name: 'jwttoken', parameter: (key) => `jwttoken=${token(key)}` },
  { name: 'apiKey', parameter: ({ apiKey }) => `apiKey=${apiKey}` },
  { name: 'apiKey with a token', parameter: (key) => `apiKey=token:${token(key)}` },
  {
    name: 'key before everything else',
    headers: ({ apiKey }) => ({ 'X-Service-API-Key': apiKey, Authorization: 'Bearer nonsense' }),
    parameter: () => 'jwttoken=nonsense&apiKey=nonsense',
  },
]

export const BAD_CREDENTIALS: readonly CredentialCase[] = [
  { name: 'none', refused: [401, 'missing_credentials'] },
  { name: 'unknown key', headers: () => ({ 'X-Service-API-Key': UNKNOWN_KEY }), refused: INVALID },
  { name: 'unknown key as apiKey', parameter: () => `apiKey=${UNKNOWN_KEY}`, refused: INVALID },
  {
    name: 'unknown key before a good token',
    headers: (key) => ({ 'X-Service-API-Key': UNKNOWN_KEY, Authorization: `Bearer ${token(key)}` }),
    refused: INVALID,
  },
  {
    name: 'bad bearer before a good jwttoken',
    headers: () => ({ Authorization: 'Bearer a.b.c' }),
    parameter: (key) => `jwttoken=${token(key)}`,
    refused: INVALID,
  },
  {
    name: 'key as bearer',
    headers: ({ apiKey }) => ({ Authorization: `Bearer ${apiKey}` }),
    refused: INVALID,
  },
  {
    name: 'ended token',
    headers: (key) => ({ Authorization: `Bearer ${token(key, { exp: SECONDS })}` }),
    refused: INVALID,
  },
  {
    name: 'forged token',
    headers: (key) => ({ Authorization: `Bearer ${token(key, { secret: Buffer.alloc(32, 8) })}` }),
    refused: INVALID,
  },
]
