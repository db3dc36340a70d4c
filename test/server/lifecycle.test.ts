import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { hashSecret } from '../../src/credentials/secret.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { controlFile } from '../../src/storage/sqlite/files/data-folder.ts'
import { runSheaf, storeFolder, temporaryFolder } from '../cli/run-sheaf.ts'
import { eventuallyEqual } from './eventually-equal.ts'
import { type ServerOptions, type ServerProcess, startServer } from './start-server.ts'

const C = '/apps/demo/collections/c'
const WRITERS = 16

async function started(t: TestContext, options?: ServerOptions): Promise<ServerProcess> {
  const server = await startServer(options)
  t.after(() => server.dispose())
  return server
}

interface Written {
  readonly acknowledged: Set<number>
  readonly refused: Set<number>
  /** Called with each that is acknowledged. */
  readonly onAcknowledged: () => void
}

/** Saves documents one by one until the connection ends, and keeps book of what became of each. */
async function write(
  server: ServerProcess,
  writer: number,
  { acknowledged, refused, onAcknowledged }: Written,
): Promise<void> {
  const client = server.newClient(1)
  for (let id = writer; ; id += WRITERS) {
    const answer = await client.send('POST', C, { body: `{"_id":${id}}` }).catch(() => undefined)
    if (answer === undefined) break
    assert.ok(answer.status === 201 || answer.status === 503, answer.text)
    ;(answer.status === 201 ? acknowledged : refused).add(id)
    if (answer.status === 201) onAcknowledged()
  }
  client.close()
}

test('a signal lets every write that is under way be acknowledged or refused, and the exit code is 0', async (t) => {
  let server = await started(t)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const { client, folder, apiKey } = server
    await client.send('DELETE', `${C}?drop=true`)
    const { promise: manyWritten, resolve } = Promise.withResolvers<void>()
    const acknowledged = new Set<number>()
    const onAcknowledged = (): void => (acknowledged.size >= 50 ? resolve() : undefined)
    const written: Written = { acknowledged, refused: new Set(), onAcknowledged }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(server, writer, written))
    await manyWritten
    const began = performance.now()
    assert.equal(await server.stop(signal), 0)
    assert.ok(performance.now() - began < 5000)
    await Promise.all(writers)
    assert.equal(server.log, '')
    server = await started(t, { folder, apiKey })
    const { text } = await server.client.send('GET', `${C}?l=1000000`)
    const found = new Set((JSON.parse(text) as { _id: number }[]).map(({ _id }) => _id))
    assert.ok(written.acknowledged.isSubsetOf(found), 'an acknowledged write is lost')
    assert.ok(written.refused.isDisjointFrom(found), 'a refused write is there')
  }
})

test('a stop closes every file, so that nothing but the databases is left', async (t) => {
  const server = await started(t)
  await server.client.send('POST', C, { body: '{}' })
  assert.equal(await server.stop(), 0)
  const files = [...readdirSync(server.folder), ...readdirSync(join(server.folder, 'apps'))]
  assert.deepEqual(
    files.filter((file) => /-(wal|shm|journal)$/.test(file)),
    [],
  )
})

test('a stop leaves no empty log of an app that nobody used behind', async (t) => {
  const first = await started(t)
  await first.stop()
  const server = await started(t, { folder: first.folder, apiKey: first.apiKey })
  const opened = watch(join(server.folder, 'apps'))
  // Two seconds after the start each app is looked at for indexes that are unfinished.
  await once(opened, 'change')
  opened.close()
  assert.equal(await server.stop(), 0)
  assert.deepEqual(
    readdirSync(join(server.folder, 'apps')).filter((file) => !file.endsWith('.sqlite')),
    [],
  )
})

test('SIGUSR1 opens no debugger, and ends nothing', async (t) => {
  const server = await started(t, { env: { SHEAF_HTTP_THREADS: '2' } })
  process.kill(server.pid, 'SIGUSR1')
  for (let n = 0; n < 20; n += 1) assert.equal((await server.client.send('GET', '/')).status, 200)
  assert.equal(await server.stop(), 0)
  assert.equal(server.log, '')
})

test('a stop waits for no connection that is idle', async (t) => {
  const server = await started(t)
  const sockets = await Promise.all(Array.from({ length: 50 }, () => server.client.connect()))
  for (const socket of sockets) socket.resume()
  const began = performance.now()
  assert.equal(await server.stop(), 0)
  assert.ok(performance.now() - began < 3000)
})

test('a stop waits for a client that reads slowly, as long as it may and no longer', async (t) => {
  const server = await started(t, { env: { SHEAF_LIMIT_SHUTDOWN_MS: '700' } })
  const documents = Array.from({ length: 20 }, (_, n) => `{"_id":${n},"a":"${'x'.repeat(1_000_000)}"}`)
  await server.client.send('POST', C, { body: `[${documents.join(',')}]` })
  const socket = await server.client.connect()
  socket.write(server.client.written('GET', C))
  await once(socket, 'readable')
  const began = performance.now()
  assert.equal(await server.stop(), 0)
  const took = performance.now() - began
  assert.ok(took > 600 && took < 5000, `${took} ms`)
  socket.destroy()
})

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
