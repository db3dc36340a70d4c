import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { UNLIMITED } from '../domain/key-rules.ts'
import type { TokenSecret } from '../storage/store.ts'
import { signToken, verifyToken } from './token.ts'

const NOW = Date.UTC(2026, 0, 1)
const SECONDS = NOW / 1000
const SECRET = new Uint8Array(32).fill(7)
const SECRETS: readonly TokenSecret[] = [
  { kid: 'secret-1', secret: SECRET, until: null },
  { kid: 'secret-0', secret: new Uint8Array(32).fill(6), until: NOW + 1000 },
]
const GOOD_HEADER = { alg: 'HS256', typ: 'JWT', kid: 'secret-1' }
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
  assert.equal(await verifyToken(token, { secrets: SECRETS, now: NOW }), undefined, token.slice(0, 200))
}

test('the hand-made token of these tests is accepted when nothing is wrong with it', async () => {
  const claims = await verifyToken(forged({}), { secrets: SECRETS, now: NOW })
  const times = { issuedAt: NOW, expiresAt: NOW + 60_000 }
  const expected = { keyId: 'key-1', ...times, generation: 0, signedWith: SECRETS[0] }
  assert.deepEqual(claims, expected)
})

test('a token has one spelling: the unused bits of a last character are zero', async () => {
  const token = forged({})
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = characters.indexOf(token.at(-1)!)
  // 32 bytes are 42 characters and a last one, of which two bits are used for nothing.
  assert.equal(token.length - token.lastIndexOf('.') - 1, 43)
  assert.equal(last % 4, 0)
  for (const more of [1, 2, 3]) await isRefused(token.slice(0, -1) + characters[last + more])
  await isRefused(`${token}=`)
})

test('a token without a signature is refused, however "none" is written', async () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, 0]) {
    const signed = `${encoded({ ...GOOD_HEADER, alg })}.${encoded(GOOD_CLAIMS)}`
    await isRefused(`${signed}.`)
    await isRefused(signed)
    await isRefused(forged({ header: { ...GOOD_HEADER, alg } }))
  }
  await isRefused(forged({ header: { typ: 'JWT', kid: 'secret-1' } }))
})

test('another HMAC is refused, although it is made with the right secret', async () => {
  await isRefused(forged({ header: { ...GOOD_HEADER, alg: 'HS384' }, hash: 'sha384' }))
  await isRefused(forged({ header: { ...GOOD_HEADER, alg: 'HS512' }, hash: 'sha512' }))
  await isRefused(forged({ hash: 'sha512' }))
})

test('a public-key signature is refused, whichever the algorithm', async () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  for (const [alg, privateKey] of [
    ['ES256', ec],
    ['RS256', rsa],
    ['HS256', rsa],
  ] as const) {
    const signed = `${encoded({ ...GOOD_HEADER, alg })}.${encoded(GOOD_CLAIMS)}`
    const key = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    await isRefused(`${signed}.${signature.toString('base64url')}`)
  }
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA', 'dir', 'A256GCMKW'])
    await isRefused(forged({ header: { ...GOOD_HEADER, alg } }))
})

test('a key, or where to fetch one, in the header is refused, even beside a right signature', async () => {
  const own = new Uint8Array(32).fill(9)
  const jwk = { kty: 'oct', k: Buffer.from(own).toString('base64url'), kid: 'secret-1' }
  const url = 'https://attacker.example/keys'
  for (const extra of [
    { jwk },
    { jku: url },
    { x5u: url },
    { x5c: ['MIIB'] },
    { x5t: 'abc' },
    { cty: 'JWT' },
  ]) {
    await isRefused(forged({ header: { ...GOOD_HEADER, ...extra }, secret: own }))
    await isRefused(forged({ header: { ...GOOD_HEADER, ...extra } }))
  }
})

test('a header that names no secret that is kept is refused', async () => {
  const { kid: _, ...unnamed } = GOOD_HEADER
  await isRefused(forged({ header: unnamed }))
  const names = ['secret-2', '', 'SECRET-1', 'secret-1 ', '../../dev/null', '/dev/null', 'secret-1\u0000']
  const others = ["' OR '1'='1", "x' UNION SELECT 'k", 'constructor', '__proto__', '0', 'length']
  const kinds: unknown[] = [
    null,
    0,
    1,
    true,
    ['secret-1'],
    [['secret-1']],
    { kid: 'secret-1' },
    { toString: 'secret-1' },
  ]
  for (const kid of [...names, ...others, ...kinds]) {
    await isRefused(forged({ header: { ...GOOD_HEADER, kid } }))
    await isRefused(forged({ header: { ...GOOD_HEADER, kid }, secret: new Uint8Array(0) }))
  }
  for (const header of ['[]', '["secret-1"]', 'null', '"secret-1"', '1', '{"alg":"HS256","kid":"secret-1"'])
    await isRefused(forged({ header }))
})

test('the secret that is named has to be the one that signed', async () => {
  await isRefused(forged({ header: { ...GOOD_HEADER, kid: 'secret-0' } }))
  await isRefused(forged({ secret: SECRETS[1]!.secret }))
  const old = forged({ header: { ...GOOD_HEADER, kid: 'secret-0' }, secret: SECRETS[1]!.secret })
  assert.equal((await verifyToken(old, { secrets: SECRETS, now: NOW }))?.signedWith, SECRETS[1])
})

test('another secret, an empty one included, is refused', async () => {
  await isRefused(forged({ secret: new Uint8Array(32).fill(8) }))
  await isRefused(forged({ secret: new Uint8Array(0) }))
})

test('a token without a time at which it ends is refused', async () => {
  const { exp: _, ...endless } = GOOD_CLAIMS
  await isRefused(forged({ claims: endless }))
  for (const exp of [null, 'later', String(SECONDS + 60), [SECONDS + 60], true])
    await isRefused(forged({ claims: { ...GOOD_CLAIMS, exp } }))
})

test('a token that has expired is told from a forgery, and only where nothing else is wrong with it', async () => {
  const claims = { ...GOOD_CLAIMS, exp: SECONDS - 1 }
  const verified = await verifyToken(forged({ claims }), { secrets: SECRETS, now: NOW })
  assert.equal(verified?.expiresAt, NOW - 1000)
  await isRefused(forged({ claims, secret: new Uint8Array(32).fill(8) }))
  await isRefused(forged({ claims: { ...claims, iss: 'other' } }))
  await isRefused(forged({ claims: { ...claims, nbf: SECONDS + 5 } }))
  await isRefused(forged({ claims: { ...claims, kid: 1 } }))
})

test('a token from the future is refused beyond 60 seconds', async () => {
  await isRefused(forged({ claims: { ...GOOD_CLAIMS, iat: SECONDS + 61, exp: SECONDS + 600 } }))
  await isRefused(forged({ claims: { ...GOOD_CLAIMS, nbf: SECONDS + 5 } }))
  for (const iat of [undefined, null, 'now']) await isRefused(forged({ claims: { ...GOOD_CLAIMS, iat } }))
  const claims = { ...GOOD_CLAIMS, iat: SECONDS + 60, exp: SECONDS + 600 }
  assert.ok(await verifyToken(forged({ claims }), { secrets: SECRETS, now: NOW }))
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
  await isRefused(forged({ header: { ...GOOD_HEADER, crit: [] } }))
  await isRefused(forged({ header: { ...GOOD_HEADER, crit: ['exp'] } }))
  await isRefused(forged({ header: { ...GOOD_HEADER, b64: false } }))
  await isRefused(forged({ header: { ...GOOD_HEADER, zip: 'DEF' } }))
  for (const typ of ['JWE', 'at+jwt', '', null, 1, undefined])
    await isRefused(forged({ header: { ...GOOD_HEADER, typ } }))
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
    `${header}.${claims}`,
    `${header}.${claims}.`,
    `${header}..${signature}`,
    `${token}.x.y`,
    `${header}.${header}.${claims}.${claims}.${signature}`,
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

async function signed(
  rules: { tokenLifetimeMs?: number; expiresAt?: number },
  now = NOW,
): Promise<readonly unknown[]> {
  const token = await signToken({
    keyId: 'key-1',
    rules: { ...UNLIMITED, ...rules },
    secret: SECRETS[0]!,
    now,
  })
  return token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
}

test('a token names its key and its secret by their ids alone, and lives ten days', async () => {
  assert.deepEqual(await signed({}), [
    { alg: 'HS256', typ: 'JWT', kid: 'secret-1' },
    { iss: 'sheaf', iat: 1_767_225_600, exp: 1_768_089_600, kid: 'key-1' },
  ])
})

test('a token that was signed verifies', async () => {
  const token = await signToken({ keyId: 'key-1', rules: UNLIMITED, secret: SECRETS[0]!, now: NOW })
  const times = { issuedAt: NOW, expiresAt: 1_768_089_600_000 }
  const expected = { keyId: 'key-1', ...times, generation: 0, signedWith: SECRETS[0] }
  assert.deepEqual(await verifyToken(token, { secrets: SECRETS, now: NOW }), expected)
})

test('a token says how often those before it were ended, and one that says anything else is refused', async () => {
  const made = { keyId: 'key-1', rules: UNLIMITED, secret: SECRETS[0]!, now: NOW }
  const verified = async (generation: number) =>
    (await verifyToken(await signToken({ ...made, generation }), { secrets: SECRETS, now: NOW }))?.generation
  assert.deepEqual([await verified(0), await verified(3)], [0, 3])
  // As JSON this is null.
  assert.equal(await verified(Number.NaN), undefined)
})

test("a token lives as long as its key's rules say, and never longer than the key", async () => {
  const ends = async (...options: Parameters<typeof signed>) =>
    ((await signed(...options))[1] as { exp: number }).exp
  assert.equal(await ends({ tokenLifetimeMs: 3_600_000 }), SECONDS + 3600)
  assert.equal(await ends({ expiresAt: NOW + 5000 }), SECONDS + 5)
  assert.equal(await ends({ expiresAt: NOW + 5999 }), SECONDS + 5)
  assert.equal(await ends({ expiresAt: NOW + 5000, tokenLifetimeMs: 2000 }), SECONDS + 2)
  assert.equal(await ends({ tokenLifetimeMs: 2000 }, NOW + 999), SECONDS + 2)
})
