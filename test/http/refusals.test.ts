import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateApiKey } from '../../src/credentials/api-key.ts'
import { createFailureLimiter } from '../../src/credentials/failure-limiter.ts'
import type { TestKey } from './key-directory.ts'
import { startTestServer, type TestAnswer, type TestServer } from './start-test-server.ts'

const PAGE = 'https://app.example'

function testKey(name: string, rules: TestKey['rules']): TestKey {
  return { keyId: `id-${name}`, name, apiKey: generateApiKey(), rules }
}

const ELSEWHERE = testKey('elsewhere', { addresses: ['192.0.2.0/24'] })
const LOCAL = testKey('local', { addresses: ['127.0.0.0/8', '::1'] })
const PAGES = testKey('pages', { websites: ['app.example'], localhost: false })
const SLOW = testKey('slow', { rate: { requests: 1, perMs: 5000 } })

let server: TestServer
before(async () => {
  server = await startTestServer({
    failures: createFailureLimiter(() => 0),
    moreKeys: [ELSEWHERE, LOCAL, PAGES, SLOW],
  })
})
after(() => server.close())

function send(
  apiKey: string | undefined,
  path = '/',
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return server.send('GET', path, { headers: { 'X-Service-API-Key': apiKey, Origin: PAGE, ...headers } })
}

/** Checks an answer's status and code, and that a page from elsewhere may read them. */
function isReadable(answer: TestAnswer, status: number, code: string): void {
  assert.equal(answer.status, status)
  assert.equal((answer.json as { code: string }).code, code)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.match(answer.headers['access-control-expose-headers']!, /Retry-After.*WWW-Authenticate/)
}

test('rules refuse before a path is looked at, with an answer that pages can read', async () => {
  for (const path of [
    '/',
    '/validate_key',
    '/nowhere',
    '/apps/none/collections',
    '/apps/demo/collections/%ff',
  ]) {
    isReadable(await send(ELSEWHERE.apiKey, path), 403, 'address_not_allowed')
    isReadable(await send(PAGES.apiKey, path, { Origin: 'https://evil.example' }), 403, 'website_not_allowed')
  }
  assert.equal((await send(PAGES.apiKey)).status, 200)
  assert.equal((await send(LOCAL.apiKey)).status, 200)
})

test('a forwarding header from anybody is not believed', async () => {
  for (const headers of [{ 'X-Forwarded-For': '192.0.2.1' }, { Forwarded: 'for=192.0.2.1' }] as const) {
    isReadable(await send(ELSEWHERE.apiKey, '/', { ...headers }), 403, 'address_not_allowed')
    assert.equal((await send(LOCAL.apiKey, '/', { ...headers })).status, 200)
  }
})

test('a key over its rate is told when to come again', async () => {
  assert.equal((await send(SLOW.apiKey)).status, 200)
  const answer = await send(undefined, `/?apiKey=${SLOW.apiKey}`)
  isReadable(answer, 429, 'rate_limited')
  assert.equal(answer.headers['retry-after'], '5')
})

test('bad credentials are 401 and then 429, and nothing of them comes back', async () => {
  const made: TestAnswer[] = []
  const guesses: string[] = []
  for (let i = 0; i < 12; i += 1) {
    const guess = generateApiKey()
    guesses.push(guess)
    const path = `/create-token/${guess}`
    made.push(await (i % 2 === 0 ? send(guess) : server.send('POST', path, { headers: { Origin: PAGE } })))
  }
  for (const answer of made.slice(0, 10)) isReadable(answer, 401, 'invalid_credentials')
  for (const answer of made.slice(10)) {
    isReadable(answer, 429, 'too_many_failures')
    assert.equal(answer.headers['retry-after'], '1')
  }
  const all = JSON.stringify(made)
  for (const guess of guesses) assert.ok(!all.includes(guess.slice(4, 16)))
  isReadable(await send(undefined), 401, 'missing_credentials')
  assert.equal((await send(LOCAL.apiKey)).status, 200)
})

test('a key validates by its query parameter, and so does a token', async () => {
  const made = await server.send('POST', `/create-token/${LOCAL.apiKey}`)
  const token = (made.json as { id_result: string }).id_result
  for (const query of [`apiKey=${LOCAL.apiKey}`, `apiKey=token:${token}`, `jwttoken=${token}`]) {
    const answer = await send(undefined, `/validate_key?${query}`)
    assert.deepEqual(answer.json, { valid: true, key: { name: 'local', permission: 'full', apps: 'all' } })
  }
  assert.deepEqual(server.faults, [])
})
