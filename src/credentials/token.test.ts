import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { signToken, verifyToken } from './token.ts'

const NOW = Date.UTC(2026, 0, 1)
const SECONDS = NOW / 1000
const SECRET = new Uint8Array(32).fill(7)
const GOOD_HEADER = { alg: 'HS256', typ: 'JWT' }
const GOOD_CLAIMS = { iss: 'sheaf', iat: SECONDS, exp: SECONDS + 60, kid: 'key-1' }

function encoded(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

/** A token made by hand, so that nothing in it is made by what is under test. */
function forged(options: { header?: unknown; claims?: unknown; secret?: Uint8Array; hash?: string }): string {
  const signed = `${encoded(options.header ?? GOOD_HEADER)}.${encoded(options.claims ?? GOOD_CLAIMS)}`
  const hmac = createHmac(options.hash ?? 'sha256', options.secret ?? SECRET).update(signed)
  return `${signed}.${hmac.digest('base64url')}`
}

async function isRefused(token: string): Promise<void> {
  assert.equal(await verifyToken(token, { secret: SECRET, now: NOW }), undefined, token.slice(0, 200))
}

test('the hand-made token of these tests is accepted when nothing is wrong with it', async () => {
  const claims = await verifyToken(forged({}), { secret: SECRET, now: NOW })
  assert.deepEqual(claims, { keyId: 'key-1', expiresAt: NOW + 60_000 })
})

test('a token without a signature is refused, however "none" is written', async () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, 0]) {
    const signed = `${encoded({ ...GOOD_HEADER, alg })}.${encoded(GOOD_CLAIMS)}`
    await isRefused(`${signed}.`)
    await isRefused(signed)
    await isRefused(forged({ header: { ...GOOD_HEADER, alg } }))
  }
  await isRefused(forged({ header: { typ: 'JWT' } }))
})

test('another HMAC is refused, although it is made with the right secret', async () => {
  await isRefused(forged({ header: { ...GOOD_HEADER, alg: 'HS384' }, hash: 'sha384' }))
  await isRefused(forged({ header: { ...GOOD_HEADER, alg: 'HS512' }, hash: 'sha512' }))
  await isRefused(forged({ hash: 'sha512' }))
})

test('a public-key signature and an embedded key are refused', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const signed = `${encoded({ alg: 'ES256', jwk })}.${encoded(GOOD_CLAIMS)}`
  const key = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  await isRefused(`${signed}.${signature.toString('base64url')}`)
  const octets = { kty: 'oct', k: Buffer.alloc(32, 9).toString('base64url') }
  await isRefused(forged({ header: { ...GOOD_HEADER, jwk: octets }, secret: new Uint8Array(32).fill(9) }))
})

test('another secret, an empty one included, is refused', async () => {
  await isRefused(forged({ secret: new Uint8Array(32).fill(8) }))
  await isRefused(forged({ secret: new Uint8Array(0) }))
})

test('an expired token is refused from the very second on, without leeway', async () => {
  await isRefused(forged({ claims: { ...GOOD_CLAIMS, exp: SECONDS - 1 } }))
  await isRefused(forged({ claims: { ...GOOD_CLAIMS, exp: SECONDS } }))
  for (const exp of [undefined, null, 'later', String(SECONDS + 60), Number.MAX_VALUE * -1])
    await isRefused(forged({ claims: { ...GOOD_CLAIMS, exp } }))
})

test('a token from the future is refused beyond 60 seconds', async () => {
  await isRefused(forged({ claims: { ...GOOD_CLAIMS, iat: SECONDS + 61, exp: SECONDS + 600 } }))
  await isRefused(forged({ claims: { ...GOOD_CLAIMS, nbf: SECONDS + 5 } }))
  for (const iat of [undefined, null, 'now']) await isRefused(forged({ claims: { ...GOOD_CLAIMS, iat } }))
  const claims = { ...GOOD_CLAIMS, iat: SECONDS + 60, exp: SECONDS + 600 }
  assert.ok(await verifyToken(forged({ claims }), { secret: SECRET, now: NOW }))
})

test('another issuer or none is refused', async () => {
  for (const iss of ['other', 'Sheaf', '', undefined, null, ['sheaf', 'other']])
    await isRefused(forged({ claims: { ...GOOD_CLAIMS, iss } }))
})

test('a token that names no key is refused', async () => {
  for (const kid of [undefined, null, 1, ['key-1'], { toString: 'key-1' }])
    await isRefused(forged({ claims: { ...GOOD_CLAIMS, kid } }))
})

test('extensions that must be understood are refused', async () => {
  await isRefused(forged({ header: { ...GOOD_HEADER, crit: ['b64'], b64: false } }))
  await isRefused(forged({ header: { ...GOOD_HEADER, crit: ['odd'], odd: 1 } }))
})

test('truncated, stretched, changed and shapeless tokens are refused', async () => {
  const token = forged({})
  for (let cut = 1; cut < token.length; cut += 1) await isRefused(token.slice(0, -cut))
  const [header = '', claims = '', signature = ''] = token.split('.')
  const raised = encoded({ ...GOOD_CLAIMS, exp: SECONDS + 1e9 })
  for (const text of [
    '',
    '.',
    '..',
    '...',
    'abc',
    `${token}.`,
    `${token}.x`,
    ` ${token}`,
    `${token}\n`,
    `${header}.${raised}.${signature}`,
    `${header}.${claims}.${signature}=`,
    `${header}.${claims}.${'A'.repeat(43)}`,
    `${encoded('{"alg":"HS256"')}.${claims}.${signature}`,
  ])
    await isRefused(text)
})

test('a huge token is refused before anything is decoded', async () => {
  await isRefused(forged({ claims: { ...GOOD_CLAIMS, padding: 'x'.repeat(10_000_000) } }))
})

test('claims that are no object are refused', async () => {
  for (const claims of ['null', '[]', '"text"', '1', 'not json']) await isRefused(forged({ claims }))
})

test('a token lives ten days and says its key by the id alone', async () => {
  const token = await signToken({ keyId: 'key-1', secret: SECRET, now: NOW })
  const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  assert.deepEqual(JSON.parse(header), { alg: 'HS256', typ: 'JWT' })
  assert.deepEqual(JSON.parse(claims), {
    iss: 'sheaf',
    iat: 1_767_225_600,
    exp: 1_768_089_600,
    kid: 'key-1',
  })
  const verified = await verifyToken(token, { secret: SECRET, now: NOW })
  assert.deepEqual(verified, { keyId: 'key-1', expiresAt: 1_768_089_600_000 })
})
