import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import type { Answer } from './client.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const C = '/apps/demo/collections/things'
const GUESS = `shf_${'0123456789'.repeat(4)}`
const FORGED = 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJzaGVhZiJ9.c2lnbmF0dXJl'
/** What a query asks for is a secret, too. */
const ASKED = 'whatsomebodyasksfor'

let server: ServerProcess
let token: string
const answers: string[] = []
before(async () => {
  server = await startServer({ env: { SHEAF_LOG_LEVEL: 'debug', SHEAF_DEBUG: '1' } })
  const made = await server.client.send('POST', `/create-token/${server.apiKey}`)
  token = JSON.parse(made.text).id_result
  assert.match(token, /^eyJ/)
})
after(() => server?.dispose())

async function ask(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await server.client.send(method, path, { headers, body: method === 'GET' ? '' : '{"a":1}' })
  answers.push(answer.text)
  return answer
}

async function raw(bytes: string): Promise<void> {
  answers.push(await server.client.raw(bytes))
}

/** Every way to present a credential, good and bad, and every wrong way that a hurried client finds. */
async function presentEverywhere(secret: string): Promise<void> {
  const escaped = `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`
  for (const headers of [
    { 'X-Service-API-Key': secret },
    { 'X-Service-API-Key': `token:${secret}` },
    { 'X-Service-API-Key': ` ${secret}, ${secret}` },
    { Authorization: `Bearer ${secret}` },
    { Authorization: `bearer token:${secret}` },
    { Authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` },
    { 'X-Request-Id': secret.slice(0, 120) },
    { Origin: `https://${secret}.example`, Referer: `https://x.example/${secret}` },
    { 'X-Forwarded-For': secret, 'User-Agent': secret, 'Content-Type': `x/${secret}` },
  ])
    for (const path of ['/', C, '/nowhere'] as const) await ask('POST', path, headers)
  await ask('GET', `/apps/demo/collections/${escaped}/x`)
  for (const path of [
    `/?jwttoken=${secret}`,
    `/?apiKey=${secret}`,
    `/?apiKey=token:${secret}`,
    `${C}?q={"a":"${ASKED}"}&jwttoken=${secret}`,
    `${C}?q={"$gtt":"${ASKED}"}`,
    `${C}?l=${secret}`,
    `${C}?${secret}`,
    `/create-token/${secret}`,
    `/create-token/${secret}/`,
    `/create-token/${escaped}`,
    `/create-token/${encodeURIComponent(escaped)}`,
    `/create-token/%ff${secret}`,
    `/create-token?apiKey=${secret}`,
    `//create-token/${secret}`,
    `/CREATE-TOKEN/${secret}`,
    `/create%2Dtoken/${secret}`,
    `/create_token/${escaped}`,
    `/apps/${secret}/collections`,
    `/${encodeURIComponent(encodeURIComponent(escaped))}`,
    `/_/${secret}`,
  ])
    for (const method of path.startsWith(C) ? ['GET'] : ['GET', 'POST', 'DELETE'])
      await ask(method, path.replaceAll('"', '%22').replaceAll(/[{}]/g, encodeURIComponent))
}

async function sendGarbage(secret: string): Promise<void> {
  const head = `Host: x\r\nX-Service-API-Key: ${secret}\r\n`
  await raw(`GET /create-token/${secret} HTTP/9.9\r\n${head}\r\n`)
  await raw(`GET /${secret} nonsense\r\n\r\n`)
  await raw(`GET / HTTP/1.1\r\n${head}${secret} : x\r\n\r\n`)
  await raw(`GET / HTTP/1.1\r\nHost: ${secret}/\r\nHost: ${secret}\r\n\r\n`)
  await raw(`POST ${C} HTTP/1.1\r\n${head}Transfer-Encoding: ${secret}\r\n\r\n`)
  const plain = connect(server.port, '127.0.0.1')
  plain.on('data', (bytes) => answers.push(bytes.toString()))
  plain.write(`GET /?apiKey=${secret} HTTP/1.1\r\n${head}\r\n`)
  await once(plain, 'close')
}

/** Breaks the files of all apps under the running server. */
function breakApps(): void {
  for (const file of globSync('apps/*.sqlite*', { cwd: server.folder }))
    writeFileSync(join(server.folder, file), Buffer.alloc(statSync(join(server.folder, file)).size, 'x'))
}

describe('a busy run that logs everything', () => {
  it('answers with faults, too', async () => {
    for (const secret of [server.apiKey, token, GUESS, FORGED]) {
      await presentEverywhere(secret)
      await sendGarbage(secret)
    }
    breakApps()
    const statuses = new Set<number>()
    for (const path of [C, '/apps/demo/collections'])
      for (const query of [`?jwttoken=${token}`, `?apiKey=${server.apiKey}&q=%7B%22a%22:%22${ASKED}%22%7D`])
        for (const method of ['GET', 'PUT', 'DELETE']) statuses.add((await ask(method, path + query)).status)
    assert.ok(
      [...statuses].some((status) => status >= 500),
      `${[...statuses]}`,
    )
  })

  it('leaves no key, no token and no query in its log or its answers', async () => {
    const secrets = [...[server.apiKey, token, GUESS, FORGED].flatMap(partsOf), ASKED]
    assert.equal(await server.stop(), 0)
    const lines = server.log.trimEnd().split('\n')
    assert.ok(lines.length > 300, `${lines.length} lines`)
    for (const line of lines) {
      JSON.parse(line)
      for (const secret of secrets) assert.equal(line.includes(secret), false, line)
    }
    // But for the one answer that is there to hold one.
    for (const answer of answers.filter((text) => !text.startsWith('{"id_result":')))
      for (const secret of [server.apiKey, token, GUESS].flatMap(partsOf))
        assert.equal(answer.includes(secret), false, answer)
  })

  it('logs requests with id, method, path, status, duration, length, key and address', () => {
    const lines = server.log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const line = lines.find(({ path, status }) => path === '/create-token/[redacted]' && status === 200)
    assert.deepEqual(Object.keys(line), [
      'level',
      'time',
      'id',
      'method',
      'path',
      'status',
      'ms',
      'bytes',
      'key',
      'address',
      'msg',
    ])
    assert.deepEqual(
      [line.level, line.method, line.key, line.address],
      ['info', 'POST', 'default', '127.0.0.1'],
    )
    assert.ok(lines.some(({ path }) => path === `${C}?[redacted]`))
  })

  it('leaves no key and no token in the data folder, and the secret of tokens in one file of it', async () => {
    const control = await openAccounts({ dataDir: server.folder })
    const { tokenSecrets } = await control.readDirectory()
    await control.close()
    const files = globSync('**/*', { cwd: server.folder }).filter((file) =>
      statSync(join(server.folder, file)).isFile(),
    )
    assert.ok(files.length >= 4, files.join())
    for (const file of files) {
      const bytes = readFileSync(join(server.folder, file))
      for (const part of [server.apiKey, token].flatMap(partsOf))
        assert.equal(bytes.includes(part), false, file)
      if (file.startsWith('control.sqlite')) continue
      for (const { secret } of tokenSecrets) assert.equal(bytes.includes(Buffer.from(secret)), false, file)
    }
  })
})

/** A secret, and what of it would be as good. */
function partsOf(secret: string): string[] {
  const [head = '', payload, signature] = secret.split('.')
  return signature === undefined
    ? [secret, head.slice(4, 24), head.slice(-20)]
    : [secret, payload!, signature]
}
