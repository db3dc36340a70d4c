import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { ADA, BOB, house, NOW, withRules } from '../../../test/credentials-house.ts'
import { generateApiKey } from '../../credentials/api-key.ts'
import { createFailureLimiter } from '../../credentials/failure-limiter.ts'
import type { Principal } from '../../domain/principal.ts'
import { createAdmission } from '../../operations/create-admission.ts'
import { AccessGuard } from './access-guard.ts'
import { createClientOf } from './client-address.ts'
import { attachState, type RequestState } from './request-state.ts'

interface Arriving {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: string
  readonly peer?: string
}

const OTHER_PEER = '198.51.100.7'

const NO_SITES = { domain: undefined, urlOf: (host: string) => host }

function guarded() {
  const h = house()
  const used: string[] = []
  const guard = new AccessGuard({
    context: {
      ...createAdmission({
        directory: () => ({ apps: new Map(), sites: new Map() }),
        sites: NO_SITES,
        now: () => h.clock.now,
      }),
      countRequest: () => {},
      serviceNames: ['Service', 'Sibling'],
    },
    authenticator: h.authenticator,
    failures: createFailureLimiter(() => h.clock.now),
    clientOf: createClientOf(['10.0.0.0/8']),
    keyUses: { note: (keyId) => used.push(keyId) },
  })
  const request = ({ headers = {}, peer = '203.0.113.9' }: Arriving): IncomingMessage => {
    const arrived = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage
    attachState(arrived, {} as RequestState)
    return arrived
  }
  const enter = async (arriving: Arriving): Promise<Principal> =>
    guard.principalOf(request(arriving), arriving.query ?? '')
  const tokenFor = async (apiKey: string, arriving: Arriving = {}): Promise<string> =>
    guard.tokenFor(request(arriving), apiKey).then(({ token }) => token)
  const code = async (arriving: Arriving): Promise<string> =>
    enter(arriving).then(
      ({ name }) => name,
      ({ code }) => code,
    )
  return { ...h, guard, used, enter, tokenFor, code }
}

function withKey(key: string): Arriving {
  return { headers: { 'x-service-api-key': key } }
}

test('a bad credential is never passed over for a good one behind it', async () => {
  const { code, adaKey, token } = guarded()
  const good = await token(adaKey)
  const bad = generateApiKey()
  const authorization = `Bearer ${good}`
  const query = `jwttoken=${good}&apiKey=${adaKey}`
  for (const headers of [
    { 'x-service-api-key': bad, authorization },
    { 'x-service-api-key': '', authorization },
    { 'x-service-api-key': bad, 'x-sibling-api-key': adaKey },
    { authorization: 'Bearer abc' },
    { authorization: 'bearer' },
  ])
    assert.equal(await code({ headers, query }), 'invalid_credentials')
  for (const bad of [
    `jwttoken=&apiKey=${adaKey}`,
    `jwttoken=x&apiKey=${adaKey}`,
    `apiKey=${adaKey}&jwttoken`,
  ])
    assert.equal(await code({ query: bad }), 'invalid_credentials')
})

test('an Authorization of another scheme hides nothing', async () => {
  const { code, adaKey, token } = guarded()
  for (const authorization of ['Basic eDp5', 'Digest username="x"', 'Negotiate abc', '']) {
    const headers = { authorization }
    assert.equal(await code({ headers, query: `apiKey=${adaKey}` }), 'ada')
    assert.equal(await code({ headers, query: `jwttoken=${await token(adaKey)}` }), 'ada')
    assert.equal(await code({ headers: { ...headers, 'x-service-api-key': adaKey } }), 'ada')
    assert.equal(await code({ headers }), 'missing_credentials')
  }
})

test('a 401 names the option for a key header of another name, and quotes none that may be anything', async () => {
  const { enter, adaKey } = guarded()
  const messageOf = async (arriving: Arriving): Promise<string> =>
    enter(arriving).then(
      () => 'let in',
      ({ code, message }) => `${code} ${message}`,
    )
  const headers = { 'x-flybase-api-key': adaKey }
  for (const [query, code] of [
    ['', 'missing_credentials'],
    [`apiKey=${generateApiKey()}`, 'invalid_credentials'],
  ] as const)
    assert.match(
      await messageOf({ headers, query }),
      new RegExp(
        `^${code} .*The header x-flybase-api-key is not looked at: .* by the option --service-name, `,
      ),
    )
  assert.equal(await messageOf({ headers, query: `apiKey=${adaKey}` }), 'let in')
  for (const name of [
    'x-api-key',
    `x-${'a'.repeat(24)}-api-key`,
    'x-1-api-key',
    "x-a'b-api-key",
    'x-sibling-api-key',
  ])
    assert.doesNotMatch(await messageOf({ headers: { [name]: 'x' } }), /--service-name/, name)
})

test('a credential that stands twice in the query is refused as such', async () => {
  const { code, adaKey, token } = guarded()
  const good = await token(adaKey)
  assert.equal(await code({ query: `apiKey=${adaKey}&apiKey=${adaKey}` }), 'duplicate_parameter')
  assert.equal(await code({ query: `jwttoken=${good}&jwttoken=${good}` }), 'duplicate_parameter')
})

test('a credential counts beside what can not be decoded, and is none where it can not be itself', async () => {
  const { code, adaKey } = guarded()
  assert.equal(await code({ query: `q={"a":"50%"}&apiKey=${adaKey}&%=1&%ff` }), 'ada')
  assert.equal(await code({ query: `apiKey=${adaKey}%` }), 'missing_credentials')
})

test('every way to present a key or a token is known', async () => {
  const { enter, adaKey, token } = guarded()
  const good = await token(adaKey)
  for (const arriving of [
    { headers: { 'x-service-api-key': adaKey } },
    { headers: { 'x-sibling-api-key': adaKey } },
    { headers: { 'x-service-api-key': `token:${good}` } },
    { headers: { 'x-sibling-api-key': `token:${good}` } },
    { headers: { authorization: `bearer ${good}` } },
    { query: `q={}&jwttoken=${good}` },
    { query: `jwttoken=token%3A${good}` },
    { query: `apiKey=${adaKey}` },
    { query: `apiKey=token:${good}&c=true` },
    { query: `apiKey=token%3a${good}` },
  ])
    assert.deepEqual(await enter(arriving), ADA)
})

test('of several ways the documented order decides', async () => {
  const { enter, adaKey, bobKey, token } = guarded()
  const [ada, bob] = [await token(adaKey), await token(bobKey)]
  const both = { 'x-sibling-api-key': adaKey, 'x-service-api-key': bobKey }
  assert.deepEqual(await enter({ headers: both }), BOB)
  const query = `apiKey=${adaKey}&jwttoken=${bob}`
  assert.deepEqual(await enter({ headers: { authorization: `Bearer ${ada}` }, query }), ADA)
  assert.deepEqual(await enter({ query }), BOB)
})

test('bad credentials are told to wait, and good ones from the same address are not', async () => {
  const { code, clock, adaKey, token, enter } = guarded()
  const good = await token(adaKey)
  for (let i = 0; i < 10; i += 1) assert.equal(await code(withKey(generateApiKey())), 'invalid_credentials')
  const refusal = await enter(withKey(generateApiKey())).catch((error) => error)
  assert.equal(refusal.code, 'too_many_failures')
  assert.equal(refusal.retryAfterSeconds, 1)
  for (const query of ['jwttoken=a.b.c', 'apiKey=x'])
    assert.equal(await code({ query }), 'too_many_failures', query)
  assert.equal(await code(withKey(adaKey)), 'ada')
  assert.equal(await code({ query: `jwttoken=${good}` }), 'ada')
  assert.equal(await code({ ...withKey(generateApiKey()), peer: OTHER_PEER }), 'invalid_credentials')
  clock.now += 1000
  const again = await enter(withKey(generateApiKey())).catch((error) => error)
  assert.equal(again.retryAfterSeconds, 2)
})

test('keys that are guessed at the making of tokens count too', async () => {
  const { tokenFor, code, adaKey } = guarded()
  for (let i = 0; i < 10; i += 1)
    await assert.rejects(tokenFor(generateApiKey()), { code: 'invalid_credentials' })
  await assert.rejects(tokenFor(generateApiKey()), { code: 'too_many_failures' })
  assert.equal(await code(withKey(generateApiKey())), 'too_many_failures')
  assert.equal((await tokenFor(adaKey)).split('.').length, 3)
})

test('missing and ended credentials are no guesses', async () => {
  const { code, clock, adaKey, token } = guarded()
  const old = await token(adaKey)
  clock.now += 864_000_000
  for (let i = 0; i < 50; i += 1) {
    assert.equal(await code({}), 'missing_credentials')
    assert.equal(await code({ query: `jwttoken=${old}` }), 'invalid_credentials')
  }
  assert.equal(await code(withKey(generateApiKey())), 'invalid_credentials')
})

test('guesses through a trusted proxy count for the client, and a forged header moves none', async () => {
  const { code } = guarded()
  const guess = (peer: string, from: string) =>
    code({ headers: { 'x-service-api-key': generateApiKey(), 'x-forwarded-for': from }, peer })
  for (let i = 0; i < 10; i += 1) await guess('10.0.0.1', `192.0.2.${i}, 203.0.113.50`)
  assert.equal(await guess('10.0.0.1', '203.0.113.50'), 'too_many_failures')
  assert.equal(await guess('10.0.0.1', '203.0.113.51'), 'invalid_credentials')
  for (let i = 0; i < 10; i += 1) await guess(OTHER_PEER, `192.0.2.${i}`)
  assert.equal(await guess(OTHER_PEER, '192.0.2.200'), 'too_many_failures')
})

test("a key's rules hold before anything is answered, for tokens and the making of tokens too", async () => {
  const { code, tokenFor, token, change, ada, adaKey, used } = guarded()
  const good = await token(adaKey)
  change([withRules(ada, { addresses: ['192.0.2.0/24'], websites: ['app.example'], localhost: false })])
  const page = { origin: 'https://app.example' }
  const inside = { peer: '::ffff:192.0.2.1', headers: page }
  const withGood = { query: `jwttoken=${good}` }
  assert.equal(await code({ ...withGood, headers: page }), 'address_not_allowed')
  assert.equal(
    await code({ ...withGood, headers: { ...page, 'x-forwarded-for': '192.0.2.1' } }),
    'address_not_allowed',
  )
  assert.equal(await code({ ...withGood, peer: inside.peer }), 'website_not_allowed')
  await assert.rejects(tokenFor(adaKey, { headers: page }), { code: 'address_not_allowed' })
  await assert.rejects(tokenFor(adaKey, { peer: inside.peer }), { code: 'website_not_allowed' })
  assert.deepEqual(used, [])
  assert.equal(await code({ ...withGood, ...inside }), 'ada')
  assert.ok(await tokenFor(adaKey, inside))
  assert.deepEqual(used, ['id-ada', 'id-ada'])
})

test('the rate is one for a key and all of its tokens, and bad credentials take nothing of it', async () => {
  const { enter, code, tokenFor, token, change, ada, adaKey, clock } = guarded()
  const good = await token(adaKey)
  change([withRules(ada, { rate: { requests: 3, perMs: 60_000 } })])
  for (let i = 0; i < 5; i += 1) await code(withKey(generateApiKey()))
  assert.equal(await code(withKey(adaKey)), 'ada')
  assert.equal(await code({ query: `jwttoken=${good}` }), 'ada')
  await tokenFor(adaKey)
  const refusal = await enter({ query: `apiKey=${adaKey}` }).catch((error) => error)
  assert.equal(refusal.code, 'rate_limited')
  assert.equal(refusal.retryAfterSeconds, 20)
  clock.now = NOW + 20_000
  assert.equal(await code(withKey(adaKey)), 'ada')
})
