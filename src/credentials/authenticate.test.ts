import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADA, BOB, house, isRefused, NOW } from '../../test/credentials-house.ts'
import { generateApiKey, hashApiKey } from './api-key.ts'
import type { Credentials } from './authenticate.ts'

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

test('a key that was made elsewhere is one like any other', async () => {
  const h = house()
  const secret = 'Firmware-2019_9K3mz0q8X7w2'
  await isRefused(h, { apiKeyHeader: secret })
  h.change([{ ...h.ada, secrets: [{ hash: hashApiKey(secret), until: null }] }])
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: secret }), ADA)
  assert.deepEqual(await h.authenticator.authenticate({ jwttoken: await h.token(secret) }), ADA)
  await isRefused(h, { apiKeyHeader: secret.toLowerCase() })
  await isRefused(h, { apiKeyHeader: secret.slice(0, 23) })
})

test('a key that is known is answered at once, the first time too', () => {
  const { authenticator, adaKey, bobKey } = house()
  assert.deepEqual(authenticator.authenticate({ apiKeyHeader: adaKey }), ADA)
  assert.deepEqual(authenticator.authenticate({ apiKeyHeader: adaKey }), ADA)
  assert.deepEqual(authenticator.authenticate({ apiKeyHeader: bobKey }), BOB)
  assert.deepEqual(authenticator.authenticate({ apiKey: bobKey }), BOB)
  assert.deepEqual(authenticator.authenticateKey(adaKey), ADA)
})

test('a token works in all of its places, and at once from the second time on', async () => {
  const h = house()
  const { authenticator } = h
  const token = await h.token(h.adaKey)
  const places: Credentials[] = [
    { apiKeyHeader: `token:${token}` },
    { authorization: `Bearer ${token}` },
    { authorization: `bEARER   ${token}` },
    { jwttoken: token },
    { jwttoken: `token:${token}` },
    { apiKey: `token:${token}` },
    { authorization: `Bearer token:${token}` },
  ]
  assert.ok(authenticator.authenticate(places[0]!) instanceof Promise)
  assert.deepEqual(await authenticator.authenticate(places[0]!), ADA)
  for (const place of places) assert.deepEqual(authenticator.authenticate(place), ADA)
})

test('a token is no key and a key is no token', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: h.adaKey }), ADA)
  await h.authenticator.authenticate({ jwttoken: token })
  await isRefused(h, { apiKeyHeader: token })
  await isRefused(h, { jwttoken: h.adaKey })
  await isRefused(h, { authorization: `Bearer ${h.adaKey}` })
  await isRefused(h, { apiKeyHeader: `token:${h.adaKey}` })
  await isRefused(h, { apiKeyHeader: 'token:' })
  await isRefused(h, { apiKeyHeader: `TOKEN:${token}` })
  await isRefused(h, { apiKey: token })
  await isRefused(h, { apiKey: `token:${h.adaKey}` })
  await isRefused(h, { apiKey: '' })
})

test('another scheme than Bearer is passed over, whatever it carries', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  const basic = `Basic ${Buffer.from(`x:${h.adaKey}`).toString('base64')}`
  for (const authorization of ['', token, h.adaKey, basic, `Token ${token}`, `Bearer${token}`, 'Bearers x']) {
    await isRefused(h, { authorization }, 'missing_credentials')
    assert.deepEqual(h.authenticator.authenticate({ authorization, apiKey: h.bobKey }), BOB)
  }
})

test('Bearer without one token is refused, and hides what is behind it', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  for (const authorization of ['Bearer', 'Bearer ', 'bearer\t', `Bearer ${token} ${token}`])
    await isRefused(h, { authorization, apiKey: h.adaKey })
})

test('of several credentials the first decides, and a bad one does not fall through', async () => {
  const h = house()
  const ada = await h.token(h.adaKey)
  const bob = await h.token(h.bobKey)
  const all = { apiKeyHeader: h.adaKey, authorization: `Bearer ${bob}`, jwttoken: bob }
  assert.deepEqual(h.authenticator.authenticate(all), ADA)
  const two = { authorization: `Bearer ${bob}`, jwttoken: ada, apiKey: h.adaKey }
  assert.deepEqual(await h.authenticator.authenticate(two), BOB)
  await isRefused(h, { ...all, apiKeyHeader: generateApiKey() })
  await isRefused(h, { ...all, apiKeyHeader: '' })
  await isRefused(h, { ...two, authorization: 'Bearer x.y.z' })
  assert.deepEqual(await h.authenticator.authenticate({ jwttoken: bob, apiKey: h.adaKey }), BOB)
  await isRefused(h, { jwttoken: '', apiKey: h.adaKey })
  await isRefused(h, { jwttoken: h.adaKey, apiKey: h.adaKey })
})

test('only a key says who gets a token', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  for (const key of ['', generateApiKey(), token, `token:${token}`, h.adaKey.slice(1)])
    assert.throws(() => h.authenticator.authenticateKey(key), { code: 'invalid_credentials' })
})

test("a key's principal is the same object until the key changes", () => {
  const h = house()
  const principal = h.authenticator.authenticate({ apiKeyHeader: h.adaKey })
  assert.equal(h.authenticator.authenticate({ apiKeyHeader: h.adaKey }), principal)
})

test('more tokens than are remembered all keep working', async () => {
  const h = house({ rememberedTokens: 100 })
  const tokens: string[] = []
  for (let i = 0; i < 150; i += 1) {
    h.clock.now = NOW + i * 1000
    tokens.push(await h.token(h.adaKey))
  }
  for (const token of tokens) await h.authenticator.authenticate({ jwttoken: token })
  assert.ok(
    h.authenticator.authenticate({ jwttoken: tokens[0]! }) instanceof Promise,
    'the oldest was let go',
  )
  assert.deepEqual(await h.authenticator.authenticate({ jwttoken: tokens[0]! }), ADA)
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: tokens.at(-1)! }), ADA)
})
