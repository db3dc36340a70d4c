import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { hashSecret } from '../../src/credentials/secret.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { controlFile } from '../../src/storage/sqlite/files/data-folder.ts'
import { runSheaf, storeFolder, temporaryFolder } from '../cli/run-sheaf.ts'
import { eventuallyEqual } from './eventually-equal.ts'
import { type ServerProcess, startServerFor as started } from './start-server.ts'

const C = '/apps/demo/collections/c'

test('a first start says how to begin, and every later one what is missing yet', async (t) => {
  const server = await started(t)
  const first = setupLinkOf(server)
  assert.match(server.greeting, /an app {6}demo\n.*an API key {2}shf_[0-9a-z]{40} .*\n {2}curl --cacert /s)
  await server.stop()
  const again = await started(t, { folder: server.folder, apiKey: server.apiKey })
  const second = setupLinkOf(again)
  assert.equal(
    again.greeting,
    `Sheaf serves https://127.0.0.1:${again.port}\n\nMake the first account within 24 hours:\n  ${second}\n`,
  )
  const accounts = await openAccounts({ dataDir: server.folder })
  t.after(() => accounts.close())
  const hashOf = (link: string): string => hashSecret(link.slice(link.indexOf('#') + 1))
  assert.equal(await accounts.findLink(hashOf(first)), undefined)
  assert.equal((await accounts.findLink(hashOf(second)))?.purpose, 'setup')
  await again.stop()
  const ada = { email: 'ada@example.org', name: 'Ada', password: 'not a hash', isOperator: true }
  await accounts.createAccount(ada, 'cli:test')
  const last = await started(t, { folder: server.folder, apiKey: server.apiKey })
  assert.equal(last.greeting, `Sheaf serves https://127.0.0.1:${last.port}\n`)
})

test('a start that can not write its link down serves all the same, and says so in the log', async (t) => {
  const server = await started(t)
  await server.stop()
  const db = new DatabaseSync(controlFile(server.folder))
  // As a full disk would.
  db.exec("CREATE TRIGGER full BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'no room'); END")
  db.close()
  const again = await started(t, { folder: server.folder, apiKey: server.apiKey })
  assert.equal((await again.client.send('GET', C)).status, 200)
  await again.stop()
  const said = `${again.greeting}${again.log}`
  assert.match(said, /no link for the first account was made: .*sheaf account setup-link/)
  assert.doesNotMatch(said, /setup#/)
})

test('links lead to the public URL where there is one', async (t) => {
  const server = await started(t, { env: { SHEAF_PUBLIC_URL: 'https://DB.example.org:443/' } })
  assert.match(server.greeting, /\n {2}https:\/\/db\.example\.org\/_\/setup#[\w-]{43}\n/)
})

/** What a start without an account shows. */
function setupLinkOf({ greeting, port }: ServerProcess): string {
  const [, link = '', where] = /\n {2}((https:\/\/[^/]+)\/_\/setup#[\w-]{43})\n/.exec(greeting) ?? []
  assert.equal(where, `https://127.0.0.1:${port}`)
  return link
}

test('data files are readable by their owner alone, whatever the umask', async (t) => {
  const server = await started(t, { folder: join(temporaryFolder(t), 'data'), umask: '000' })
  await server.client.send('POST', C, { body: '{}' })
  await server.client.send('GET', C)
  const entries = readdirSync(server.folder, { recursive: true, withFileTypes: true })
  const names = entries.map(({ name }) => name)
  for (const name of ['control.sqlite', 'control.sqlite-wal', 'server.lock', 'key.pem', 'cert.pem'])
    assert.ok(names.includes(name), `${name} is not among ${names}`)
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
  assert.equal(modeOf(server.folder), '700')
  for (const entry of entries)
    assert.equal(modeOf(join(entry.parentPath, entry.name)), entry.isDirectory() ? '700' : '600', entry.name)
})

test('the command line works beside the server, and within a second', async (t) => {
  const server = await started(t)
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runSheaf([...args, '--json', '--data', server.folder])
    assert.equal(code, 0, stderr)
    return stdout
  }
  const path = '/apps/shop/collections/c'
  // Asking too often with a bad key is refused with 429.
  const status = async (apiKey: string): Promise<number> => {
    const { status } = await server.client.send('GET', path, { headers: { 'X-Service-API-Key': apiKey } })
    return status === 429 ? 401 : status
  }
  const becomes = (apiKey: string, expected: number): Promise<void> =>
    eventuallyEqual(() => status(apiKey), expected)
  assert.equal(await status(server.apiKey), 404)
  await run('app', 'create', 'shop')
  await becomes(server.apiKey, 200)
  const { key } = JSON.parse(await run('key', 'create', '--name', 'second')) as { key: string }
  await becomes(key, 200)
  const { text } = await server.client.send('POST', `/create-token/${key}`)
  const token = `token:${(JSON.parse(text) as { id_result: string }).id_result}`
  await becomes(token, 200)
  await server.client.send('POST', path, { body: '{"_id":1}' })
  await run('key', 'end-tokens', 'second')
  await becomes(token, 401)
  const next = await server.client.send('POST', `/create-token/${key}`)
  await becomes(`token:${(JSON.parse(next.text) as { id_result: string }).id_result}`, 200)
  assert.equal(await status(key), 200)
  await run('key', 'revoke', 'second')
  await becomes(key, 401)
  await becomes(token, 401)
  await run('app', 'delete', 'shop')
  await becomes(server.apiKey, 404)
  await run('app', 'restore', 'shop')
  await becomes(server.apiKey, 200)
  assert.equal((await server.client.send('GET', path)).text, '[{"_id":1}]')
  await run('app', 'delete', 'shop', '--now')
  await becomes(server.apiKey, 404)
  await run('app', 'create', 'shop')
  await becomes(server.apiKey, 200)
  assert.equal((await server.client.send('GET', path)).text, '[]')
})

test('the app of a first start is there as soon as the server says so, also where a key was made before', async (t) => {
  const folder = await storeFolder(t)
  const { stdout } = await runSheaf(['key', 'create', '--name', 'mine', '--json', '--data', folder])
  const { key } = JSON.parse(stdout) as { key: string }
  const server = await started(t, { folder, apiKey: key })
  assert.equal((await server.client.send('GET', C)).text, '[]')
})
