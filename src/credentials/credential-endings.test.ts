import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ADA,
  BOB,
  house,
  isRefused,
  NEXT_SECRET,
  NOW,
  recordOf,
  SECRET,
  TEN_DAYS_MS,
  withRules,
} from '../../test/credentials-house.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { generateApiKey, hashApiKey } from './api-key.ts'
import { type Credentials, RefusedCredentials } from './authenticate.ts'

test('a revoked key dies with its tokens as soon as the directory changes', async () => {
  const h = house()
  const known = await h.token(h.adaKey)
  const unused = `${await h.token(h.adaKey)}`
  h.authenticator.authenticate({ apiKeyHeader: h.adaKey })
  await h.authenticator.authenticate({ jwttoken: known })
  h.change([h.bob])
  await isRefused(h, { apiKeyHeader: h.adaKey })
  await isRefused(h, { jwttoken: known })
  await isRefused(h, { jwttoken: unused })
  assert.throws(() => h.authenticator.authenticateKey(h.adaKey), { code: 'invalid_credentials' })
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: h.bobKey }), BOB)
})

test('a key that is revoked while its first token is being verified does not get through', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  const pending = h.authenticator.authenticate({ jwttoken: token })
  h.change([h.bob])
  await assert.rejects(async () => pending, { code: 'invalid_credentials' })
})

test('a new key under an old name does not revive the old tokens', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([recordOf({ ...ADA, keyId: 'id-ada-2' }, generateApiKey())])
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { apiKeyHeader: h.adaKey })
})

test("a key's rules hold as they are now, for its tokens too", async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.authenticator.authenticate({ apiKeyHeader: h.adaKey })
  h.change([withRules(h.ada, { apps: ['blog'] })])
  const limited = { ...ADA, rules: { ...UNLIMITED, apps: ['blog'] } }
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: h.adaKey }), limited)
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: token }), limited)
})

test('a token secret that is rotated at once ends every token, remembered or not', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  const unused = await h.token(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([h.ada], [NEXT_SECRET])
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { jwttoken: unused })
})

test('the tokens of a key that are ended are refused, remembered or not, and its next ones and those of others go on', async () => {
  const h = house()
  const [used, unused, other] = [await h.token(h.adaKey), await h.token(h.adaKey), await h.token(h.bobKey)]
  await h.authenticator.authenticate({ jwttoken: used })
  h.change([{ ...h.ada, tokenGeneration: 1 }, h.bob])
  for (const jwttoken of [used, used, unused]) await isRefused(h, { jwttoken })
  const next = await h.token(h.adaKey)
  assert.deepEqual(await h.authenticator.authenticate({ jwttoken: next }), ADA)
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: next }), ADA)
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: h.adaKey }), ADA)
  assert.equal((await h.authenticator.authenticate({ jwttoken: other })).name, 'bob')
  h.change([{ ...h.ada, tokenGeneration: 2 }, h.bob])
  await isRefused(h, { jwttoken: next })
})

test('the tokens of a key whose count of endings is damaged are refused', async () => {
  const h = house()
  h.change([{ ...h.ada, tokenGeneration: Number.NaN }])
  await isRefused(h, { jwttoken: await h.token(h.adaKey) })
})

test('a secret under the kid of another ends the tokens of the other', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([h.ada], [{ ...NEXT_SECRET, kid: SECRET.kid }])
  await isRefused(h, { jwttoken: token })
})

test('a token secret that is rotated verifies until its end, and new tokens are signed with the next', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  const late = await h.token(h.bobKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([h.ada, h.bob], [NEXT_SECRET, { ...SECRET, until: NOW + 1000 }])
  h.clock.now = NOW + 999
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: token }), ADA)
  const next = await h.token(h.adaKey)
  assert.match(Buffer.from(next.split('.')[0]!, 'base64url').toString(), /"kid":"secret-2"/)
  h.clock.now = NOW + 1000
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { jwttoken: late })
  assert.deepEqual(await h.authenticator.authenticate({ jwttoken: next }), ADA)
})

test('a rotated key works with both secrets until the overlap ends, its tokens go on', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  const nextKey = generateApiKey()
  const [old] = h.ada.secrets
  const secrets = [
    { hash: hashApiKey(nextKey), until: null },
    { ...old!, until: NOW + 1000 },
  ]
  h.authenticator.authenticate({ apiKeyHeader: h.adaKey })
  h.change([{ ...h.ada, secrets }])
  h.clock.now = NOW + 999
  for (const key of [h.adaKey, nextKey])
    assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: key }), ADA)
  h.clock.now = NOW + 1000
  await isRefused(h, { apiKeyHeader: h.adaKey })
  assert.throws(() => h.authenticator.authenticateKey(h.adaKey), { code: 'invalid_credentials' })
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: nextKey }), ADA)
  assert.deepEqual(await h.authenticator.authenticate({ jwttoken: token }), ADA)
})

test('an expired key is refused with its tokens, those from before it got its end included', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([withRules(h.ada, { expiresAt: NOW + 1000 })])
  h.clock.now = NOW + 999
  h.authenticator.authenticate({ apiKeyHeader: h.adaKey })
  h.authenticator.authenticate({ jwttoken: token })
  h.clock.now = NOW + 1000
  await isRefused(h, { apiKeyHeader: h.adaKey })
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { jwttoken: token })
})

test('a shorter token lifetime holds for the tokens that there are', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.change([withRules(h.ada, { tokenLifetimeMs: 60_000 })])
  h.clock.now = NOW + 59_999
  assert.equal((await h.authenticator.authenticate({ jwttoken: token })).name, 'ada')
  h.clock.now = NOW + 60_000
  await isRefused(h, { jwttoken: token })
})

test('what never was any good is a guess, and what has ended is none', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  const isGuess = async (credentials: Credentials): Promise<boolean> => {
    const refusal = await (async () => h.authenticator.authenticate(credentials))().catch((error) => error)
    assert.ok(refusal instanceof RefusedCredentials)
    return refusal.isGuess
  }
  assert.equal(await isGuess({ apiKeyHeader: generateApiKey() }), true)
  assert.equal(await isGuess({ apiKeyHeader: '' }), true)
  assert.equal(await isGuess({ authorization: 'Bearer x' }), true)
  assert.equal(await isGuess({ jwttoken: `${token.slice(0, -4)}AAAA` }), true)
  h.clock.now = NOW + TEN_DAYS_MS
  assert.equal(await isGuess({ jwttoken: token }), false)
  h.change([withRules(h.ada, { expiresAt: NOW })])
  assert.equal(await isGuess({ apiKeyHeader: h.adaKey }), false)
  h.clock.now = NOW
  h.change([{ ...h.ada, damage: "the rules of --rate can't be read" }])
  assert.equal(await isGuess({ apiKeyHeader: h.adaKey }), false)
  assert.equal(await isGuess({ jwttoken: token }), false)
})

test('a remembered token dies at its expiry', async () => {
  const h = house()
  const token = await h.token(h.adaKey)
  await h.authenticator.authenticate({ jwttoken: token })
  h.clock.now = NOW + TEN_DAYS_MS - 1
  assert.deepEqual(h.authenticator.authenticate({ jwttoken: token }), ADA)
  h.clock.now = NOW + TEN_DAYS_MS
  await isRefused(h, { jwttoken: token })
  await isRefused(h, { jwttoken: token })
})
