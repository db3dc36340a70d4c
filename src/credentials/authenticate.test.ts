import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../domain/principal.ts'
import type { Directory, KeyRecord } from '../storage/store.ts'
import { generateApiKey, hashApiKey } from './api-key.ts'
import { type Authenticator, type Credentials, createAuthenticator } from './authenticate.ts'

const NOW = Date.UTC(2026, 0, 1)
const TEN_DAYS_MS = 864_000_000
const ADA: Principal = { name: 'ada', permission: 'full', apps: 'all' }
const BOB: Principal = { name: 'bob', permission: 'full', apps: ['shop'] }

interface House {
  authenticator: Authenticator
  adaKey: string
  bobKey: string
  clock: { now: number }
  /** Replaces the directory, as a change by anybody does. */
  change(keys: readonly KeyRecord[], secret?: Uint8Array): void
  ada: KeyRecord
  bob: KeyRecord
}

function house(): House {
  const adaKey = generateApiKey()
  const bobKey = generateApiKey()
  const shared = { permission: 'full', createdAt: NOW } as const
  const ada: KeyRecord = { ...shared, id: 'id-ada', name: 'ada', hash: hashApiKey(adaKey), apps: null }
  const bob: KeyRecord = { ...shared, id: 'id-bob', name: 'bob', hash: hashApiKey(bobKey), apps: ['shop'] }
  const clock = { now: NOW }
  let directory = directoryOf([ada, bob])
  const authenticator = createAuthenticator({ directory: () => directory, now: () => clock.now })
  const change = (keys: readonly KeyRecord[], secret?: Uint8Array) => {
    directory = directoryOf(keys, secret)
  }
  return { authenticator, adaKey, bobKey, clock, change, ada, bob }
}

function directoryOf(
  keys: readonly KeyRecord[],
  tokenSecret: Uint8Array = new Uint8Array(32).fill(1),
): Directory {
  return {
    apps: new Map(),
    keysByHash: new Map(keys.map((key) => [key.hash, key])),
    keysById: new Map(keys.map((key) => [key.id, key])),
    tokenSecret,
  }
}

/** Checks the code, at once or later, and that the message gives nothing of the credential away. */
async function isRefused(
  { authenticator }: House,
  credentials: Credentials,
  code: 'missing_credentials' | 'invalid_credentials' = 'invalid_credentials',
): Promise<void> {
  await assert.rejects(
    async () => authenticator.authenticate(credentials),
    (error: Error & { code: string }) => {
      assert.equal(error.code, code)
      assert.match(error.message, /X-Service-API-Key.*Authorization: Bearer/)
      for (const text of Object.values(credentials))
        for (const part of String(text).match(/[\w-]{12,}/g) ?? [])
          assert.ok(
            !`${error.message}${error.stack}`.includes(part),
            'a part of the credential in the message',
          )
      return true
    },
  )
}

test('no credentials at all is its own code', async () => {
  await isRefused(house(), {}, 'missing_credentials')
  await isRefused(house(), { apiKeyHeader: undefined, authorization: undefined }, 'missing_credentials')
})

test('unknown, empty, cut, padded and doubled keys are refused', async () => {
  const h = house()
  const texts = ['', ' ', h.adaKey.slice(0, -1), `${h.adaKey}a`, ` ${h.adaKey}`, `${h.adaKey}, ${h.adaKey}`]
  const others = [
    generateApiKey(),
    hashApiKey(h.adaKey),
    h.adaKey.toUpperCase(),
    'constructor',
    '__proto__',
    '\u0000',
  ]
  for (const apiKeyHeader of [...texts, ...others, 'x'.repeat(100_000)]) await isRefused(h, { apiKeyHeader })
})

test('a key that is known is answered at once, the first time too', () => {
  const { authenticator, adaKey, bobKey } = house()
  assert.deepEqual(authenticator.authenticate({ apiKeyHeader: adaKey }), ADA)
  assert.deepEqual(authenticator.authenticate({ apiKeyHeader: adaKey }), ADA)
  assert.deepEqual(authenticator.authenticate({ apiKeyHeader: bobKey }), BOB)
})

test('a token works in all of its three places, and at once from the second time on', async () => {
  const { authenticator, adaKey } = house()
  const token = await authenticator.createToken(adaKey)
  const places: Credentials[] = [
    { apiKeyHeader: `token:${token}` },
    { authorization: `Bearer ${token}` },
    { authorization: `bEARER   ${token}` },
    { jwttoken: token },
    { jwttoken: `token:${token}` },
    { authorization: `Bearer token:${token}` },
  ]
  assert.ok(authenticator.authenticate(places[0]!) instanceof Promise)
  assert.deepEqual(await authenticator.authenticate(places[0]!), ADA)
  for (const place of places) assert.deepEqual(authenticator.authenticate(place), ADA)
})

test('a token is no key and a key is no token', async () => {
  const h = house()
  const token = await h.authenticator.createToken(h.adaKey)
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: h.adaKey }), ADA)
  await h.authenticator.authenticate({ jwttoken: token })
  await isRefused(h, { apiKeyHeader: token })
  await isRefused(h, { jwttoken: h.adaKey })
  await isRefused(h, { authorization: `Bearer ${h.adaKey}` })
  await isRefused(h, { apiKeyHeader: `token:${h.adaKey}` })
  await isRefused(h, { apiKeyHeader: 'token:' })
  await isRefused(h, { apiKeyHeader: `TOKEN:${token}` })
})

test('another scheme than Bearer is refused', async () => {
  const h = house()
  const token = await h.authenticator.createToken(h.adaKey)
  const basic = `Basic ${Buffer.from(`x:${h.adaKey}`).toString('base64')}`
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    token,
    h.adaKey,
    basic,
    `Token ${token}`,
    `Bearer${token}`,
  ])
    await isRefused(h, { authorization })
  await isRefused(h, { authorization: `Bearer ${token} ${token}` })
})

test('of several credentials the first decides, and a bad one does not fall through', async () => {
  const h = house()
  const ada = await h.authenticator.createToken(h.adaKey)
  const bob = await h.authenticator.createToken(h.bobKey)
  const all = { apiKeyHeader: h.adaKey, authorization: `Bearer ${bob}`, jwttoken: bob }
  assert.deepEqual(h.authenticator.authenticate(all), ADA)
  const two = { authorization: `Bearer ${bob}`, jwttoken: ada }
  assert.deepEqual(await h.authenticator.authenticate(two), BOB)
  await isRefused(h, { ...all, apiKeyHeader: generateApiKey() })
  await isRefused(h, { ...all, apiKeyHeader: '' })
  await isRefused(h, { ...two, authorization: 'Bearer x.y.z' })
  await isRefused(h, { authorization: `Basic ${ada}`, jwttoken: ada })
})

test('a revoked key dies with its tokens as soon as the directory changes', async () => {
  const h = house()
  const known = await h.authenticator.createToken(h.adaKey)
  const unused = `${await h.authenticator.createToken(h.adaKey)}`
  h.authenticator.authenticate({ apiKeyHeader: h.adaKey })
  await h.authenticator.authenticate({ jwttoken: known })
  h.change([h.bob])
  await isRefused(h, { apiKeyHeader: h.adaKey })
  await isRefused(h, { jwttoken: known })
  await isRefused(h, { jwttoken: unused })
  await assert.rejects(h.authenticator.createToken(h.adaKey), { code: 'invalid_credentials' })
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: h.bobKey }), BOB)
})

test('a key that is revoked while its first token is being verified does not get through', async () => {
  const h = house()
  const token = await h.authenticator.createToken(h.adaKey)
  const pending = h.authenticator.authenticate({ jwttoken: token })
  h.change([h.bob])
  await assert.rejects(async () => pending, { code: 'invalid_credentials' })
})

test('a new key under an old name does not revive the old tokens', async () => {
  const h = house()
  const token = await h.authenticator.createToken(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([{ ...h.ada, id: 'id-ada-2', hash: hashApiKey(generateApiKey()) }])
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { apiKeyHeader: h.adaKey })
})

test("a key's rules hold as they are now, for its tokens too", async () => {
  const h = house()
  const token = await h.authenticator.createToken(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.authenticator.authenticate({ apiKeyHeader: h.adaKey })
  h.change([{ ...h.ada, apps: ['blog'] }])
  const limited = { name: 'ada', permission: 'full', apps: ['blog'] }
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: h.adaKey }), limited)
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: token }), limited)
})

test('another secret ends every token, remembered or not', async () => {
  const h = house()
  const token = await h.authenticator.createToken(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([h.ada], new Uint8Array(32).fill(2))
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { jwttoken: token })
})

test('a remembered token dies at its expiry', async () => {
  const h = house()
  const token = await h.authenticator.createToken(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.clock.now = NOW + TEN_DAYS_MS - 1
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: token }), ADA)
  h.clock.now = NOW + TEN_DAYS_MS
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { jwttoken: token })
})

test('no token is made for a key that is unknown', async () => {
  const h = house()
  for (const key of ['', generateApiKey(), await h.authenticator.createToken(h.adaKey), h.adaKey.slice(1)])
    await assert.rejects(h.authenticator.createToken(key), { code: 'invalid_credentials' })
})

test('more tokens than are remembered all keep working', async () => {
  const h = house()
  const tokens: string[] = []
  for (let i = 0; i < 10_050; i += 1) {
    h.clock.now = NOW + i * 1000
    tokens.push(await h.authenticator.createToken(h.adaKey))
  }
  for (const token of tokens) await h.authenticator.authenticate({ jwttoken: token })
  assert.ok(
    h.authenticator.authenticate({ jwttoken: tokens[0]! }) instanceof Promise,
    'the oldest was let go',
  )
  assert.deepEqual(await h.authenticator.authenticate({ jwttoken: tokens[0]! }), ADA)
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: tokens.at(-1)! }), ADA)
})
