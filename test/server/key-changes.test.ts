import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/operations/create-key.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { json } from '../cli/in-process.ts'
import { runSheaf } from '../cli/run-sheaf.ts'
import { eventuallyEqual, NOTICE_MS } from './eventually-equal.ts'
import { SeededRandom } from './seeded-random.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const LIST = '/apps/demo/collections'

let server: ServerProcess
before(async () => {
  server = await startServer({ env: { SHEAF_LIMIT_QUERY_DEADLINE_MS: '6000' } })
})
after(() => server.dispose())

function sheaf(...args: readonly string[]): Promise<unknown> {
  return runSheaf([...args, '--data', server.folder])
}

async function newKey(command: readonly string[]): Promise<string> {
  return ((await json([...command, '--data', server.folder])) as { key: string }).key
}

async function newToken(key: string): Promise<string> {
  const { text } = await server.client.send('POST', `/create-token/${key}`)
  return (JSON.parse(text) as { id_result: string }).id_result
}

/** A credential that is refused too often is refused with 429; which of the two says nothing here. */
async function status(credential: string): Promise<number> {
  const { status } = await server.client.send('GET', LIST, { headers: { 'X-Service-API-Key': credential } })
  return status === 429 ? 401 : status
}

/** Waits for the answer that a change has to bring, for as long as the change may take to be seen. */
function becomes(credential: string, expected: number, about: string): Promise<void> {
  return eventuallyEqual(() => status(credential), expected, { about })
}

test('a key that another process made is good for the first request that carries it', async (t) => {
  // This process is that other one: the command line would take so long to end that the server had looked by itself.
  const control = await openAccounts({ dataDir: server.folder })
  t.after(() => control.close())
  await status('warmed up')
  const { apiKey } = await createKey(
    { control, actor: 'test', owner: null, now: Date.now },
    { name: 'first' },
  )
  assert.equal(await status(apiKey), 200)
})

test('what the command line does to a key holds within a second on a running server, for tokens too', async () => {
  const key = await newKey(['key', 'create', '--name', 'web'])
  await becomes(key, 200, 'a new key')
  const token = `token:${await newToken(key)}`
  assert.equal(await status(token), 200)

  await sheaf('key', 'update', 'web', '--app', 'other')
  await becomes(key, 403, 'a rule')
  assert.equal(await status(token), 403)
  await sheaf('key', 'update', 'web', '--all-apps')
  await becomes(key, 200, 'a rule that was lifted')

  const rotated = await newKey(['key', 'rotate', 'web'])
  await becomes(rotated, 200, 'a new secret')
  assert.deepEqual([await status(key), await status(token)], [200, 200])
  const again = await newKey(['key', 'rotate', 'web', '--overlap', '0'])
  await becomes(rotated, 401, 'a secret without an overlap')
  assert.deepEqual([await status(again), await status(token)], [200, 200])

  await sheaf('key', 'revoke', 'web')
  await becomes(again, 401, 'a revoked key')
  assert.equal(await status(token), 401)
})

test('tokens outlast a new secret, and end within a second of one that comes with --now', async () => {
  const key = await newKey(['key', 'create', '--name', 'app'])
  await becomes(key, 200, 'a new key')
  const old = `token:${await newToken(key)}`
  await sheaf('token', 'rotate-secret')
  // A token that was signed with the secret of now tells that the server has seen the change.
  const end = performance.now() + NOTICE_MS
  let token = old
  while (kidOf(token) === kidOf(old) && performance.now() < end) token = `token:${await newToken(key)}`
  assert.notEqual(kidOf(token), kidOf(old))
  assert.deepEqual([await status(old), await status(token)], [200, 200])
  await sheaf('token', 'rotate-secret', '--now')
  await becomes(old, 401, 'an old token')
  assert.equal(await status(token), 401)
  assert.equal(await status(`token:${await newToken(key)}`), 200)
})

test('a key is revoked within a second, whatever it keeps the writer busy with', async () => {
  const key = await newKey(['key', 'create', '--name', 'leaked'])
  await becomes(key, 200, 'a new key')
  // Each of these texts takes the pattern about 200 ms, linear as it is, and the deadline ends that after six seconds.
  const random = new SeededRandom(3)
  const text = Array.from({ length: 10_000 }, () => random.pick(['a', 'b'])).join('')
  const body = JSON.stringify(Array.from({ length: 40 }, () => ({ text })))
  assert.equal((await server.client.send('POST', `${LIST}/texts`, { body })).status, 201)
  const query = encodeURIComponent('{"text":{"$regex":"(a|b)*a(a|b){900}[cd]"}}')
  let isBusy = true
  const hostile = server.client
    .send('PUT', `${LIST}/texts?q=${query}`, {
      headers: { 'X-Service-API-Key': key },
      body: '{"$set":{"a":1}}',
    })
    .finally(() => {
      isBusy = false
    })
  await sheaf('key', 'revoke', 'leaked')
  await becomes(key, 401, 'a revoked key')
  assert.equal(isBusy, true, 'the writer was busy all the while')
  // What the writer does until the deadline is nothing to this test, which is the last.
  const ended = assert.rejects(hostile)
  await server.kill()
  await ended
})

function kidOf(token: string): unknown {
  const header = token.slice('token:'.length).split('.')[0] ?? ''
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid?: unknown }).kid
}
