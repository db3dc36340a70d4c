import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { controlFile } from '../../src/storage/sqlite/files/data-folder.ts'
import { json, success } from '../cli/in-process.ts'
import { eventuallyEqual, NOTICE_MS } from './eventually-equal.ts'
import { type ServerProcess, startServer } from './start-server.ts'

/** Five seconds that are allowed, and a busy machine. */
const CLOSED_MS = 20_000
const LIST = '/apps/demo/collections'

let server: ServerProcess
before(async () => {
  server = await startServer()
})
after(async () => {
  await server.dispose()
  rmSync(server.folder, { recursive: true, force: true })
})

const sheaf = (...args: readonly string[]): Promise<string> => success([...args, '--data', server.folder])

async function newKey(name: string): Promise<string> {
  return ((await json(['key', 'create', '--name', name, '--data', server.folder])) as { key: string }).key
}

/** What another hand does to the file, or a disk. */
function damage(sql: string): void {
  const db = new DatabaseSync(controlFile(server.folder))
  db.exec(sql)
  db.close()
}

async function status(credential: string): Promise<number> {
  return (await server.client.send('GET', LIST, { headers: { 'X-Service-API-Key': credential } })).status
}

function becomes(credential: string, expected: number, withinMs = NOTICE_MS): Promise<void> {
  return eventuallyEqual(() => status(credential), expected, { withinMs })
}

test('a damaged key is closed alone: others are revoked as ever, and it is listed, mended and no hindrance to a start', async () => {
  const [a, b, c] = [await newKey('a'), await newKey('b'), await newKey('c')]
  for (const key of [a, b, c]) await becomes(key, 200)
  const token = await server.client.send('POST', `/create-token/${c}`)
  const { id_result } = JSON.parse(token.text) as { id_result: string }
  damage(`UPDATE keys SET rules = json_remove(rules, '$.rate') WHERE name = 'c'`)
  assert.match(await sheaf('key', 'revoke', 'a'), /Key a is revoked/)
  await becomes(a, 401)
  assert.deepEqual([await status(b), await status(c), await status(`token:${id_result}`)], [200, 401, 401])
  await server.logged('lets nobody in')
  assert.match(
    server.log,
    /the key \\"c\\" lets nobody in: the rules of --rate can't be read; \\"sheaf key update\\" or/,
  )
  assert.match(await sheaf('key', 'list'), /\nc +DAMAGED, lets nobody in: the rules of --rate can't be read /)
  const listed = (await json(['key', 'list', '--data', server.folder])) as { name: string }[]
  const { name, damaged, ...rest } = listed.find((key) => key.name === 'c') as Record<string, unknown>
  assert.deepEqual([name, damaged], ['c', "the rules of --rate can't be read"])
  assert.deepEqual(Object.keys(rest), ['sentence', 'createdAt', 'lastUsedAt', 'oldKeysUntil'])
  assert.equal(rest.sentence, "Lets nobody in, for the rules of --rate can't be read.")
  await sheaf('key', 'update', 'c', '--rate', 'none')
  await becomes(c, 200)
  assert.equal(await status(`token:${id_result}`), 200)

  damage(`UPDATE keys SET rules = '' WHERE name = 'c'`)
  await server.stop()
  server = await startServer({ folder: server.folder, apiKey: b })
  assert.deepEqual([await status(b), await status(c)], [200, 401])
  await sheaf('key', 'revoke', 'c')
  assert.doesNotMatch(await sheaf('key', 'list'), /DAMAGED/)
})

test('apps and keys that can not be read at all close every credential, and open it again by themselves', async () => {
  const key = await newKey('d')
  await becomes(key, 200)
  const { text } = await server.client.send('POST', `/create-token/${key}`)
  const { id_result } = JSON.parse(text) as { id_result: string }
  damage('ALTER TABLE keys RENAME TO lost')
  damage('UPDATE directory_version SET version = version + 1')
  await becomes(key, 503, CLOSED_MS)
  await becomes(`token:${id_result}`, 503)
  const answer = await server.client.send('GET', LIST, { headers: { 'X-Service-API-Key': key } })
  assert.match(
    answer.text,
    /^\{"code":"store_unavailable","message":"the apps and keys can't be read at this time/,
  )
  assert.equal(answer.headers['retry-after'], '5')
  assert.equal(
    (await server.client.send('GET', LIST, { headers: { 'X-Service-API-Key': 'no key' } })).status,
    503,
  )
  assert.match(server.log, /the apps and keys can't be read; 5 seconds after the last time/)
  const probe = async (): Promise<number> => (await server.client.send('GET', '/_/health/ready')).status
  assert.equal(await probe(), 503)
  damage('ALTER TABLE lost RENAME TO keys')
  await becomes(key, 200)
  assert.deepEqual([await status(`token:${id_result}`), await probe()], [200, 200])
})
