import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { feedSheaf, runSheaf } from '../cli/run-sheaf.ts'
import { eventuallyEqual } from './eventually-equal.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const SECRET = 'Firmware-2019_9K3mz0q8X7w2v5t1R4y6u0p9'
const NEXT = 'Firmware-2026_aB3mz0q8X7w2v5t1R4y6u0p9'

let server: ServerProcess
before(async () => {
  server = await startServer({ env: { SHEAF_LOG_LEVEL: 'info' } })
})
after(() => server.dispose())

function fed(input: string | Buffer, ...args: readonly string[]) {
  return feedSheaf([...args, '--secret-stdin', '--data', server.folder], input)
}

async function refused(message: RegExp, input: string | Buffer, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await fed(input, ...args)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, message)
  assert.ok(!stderr.includes(SECRET))
}

async function answerWithoutKey(path: string): Promise<string> {
  const socket = await server.client.connect()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return head.toString()
}

async function status(key: string): Promise<number> {
  return (await server.client.send('GET', '/', { headers: { 'X-Service-API-Key': key } })).status
}

function becomes(key: string, expected: number): Promise<void> {
  return eventuallyEqual(() => status(key), expected)
}

test('a key that exists elsewhere is taken over, and is a key like any other, but never shown', async () => {
  assert.equal(await status(SECRET), 401)
  const made = await fed(`${SECRET}\n`, 'key', 'create', '--name', 'device', '--permission', 'read')
  assert.deepEqual(made, {
    code: 0,
    stdout: 'Key device is made, with the secret that was given.\n',
    stderr: '',
  })
  await becomes(SECRET, 200)
  assert.equal(await status(SECRET.slice(0, -1)), 401)
  const { text } = await server.client.send('POST', `/create-token/${SECRET}`)
  const { id_result } = JSON.parse(text) as { id_result: string }
  assert.equal(await status(`token:${id_result}`), 200)
  for (const path of [`/?apiKey=${SECRET}`, `/validate_key?jwttoken=${id_result}`])
    assert.match(await answerWithoutKey(path), /^HTTP\/1\.1 200 OK/)

  await refused(/one of the key "device" already/, SECRET, 'key', 'create', '--name', 'other')
  await refused(/one of the key "device" already/, SECRET, 'key', 'rotate', 'device')
  const rotated = await fed(`${NEXT}\r\n`, 'key', 'rotate', 'device', '--json')
  assert.deepEqual([rotated.code, rotated.stderr], [0, ''])
  const { name, key, oldKeysUntil } = JSON.parse(rotated.stdout) as Record<string, unknown>
  assert.deepEqual([name, key, (oldKeysUntil as unknown[]).length], ['device', undefined, 1])
  await becomes(NEXT, 200)
  assert.equal(await status(SECRET), 200)

  for (const command of ['revoke', 'rotate']) {
    const { code, stderr } = await runSheaf(['key', command, NEXT, '--data', server.folder])
    assert.equal(code, 1)
    assert.match(stderr, /that is a key, where its name is wanted/)
    assert.ok(!stderr.includes(NEXT))
  }
  // Where keys don't belong.
  for (const path of [`/create_token/${SECRET}`, `/${SECRET}`, `/create-token/${SECRET}/x?y=${SECRET}`])
    await server.client.send('GET', path)
  // What stands before its last line is there when that is.
  await server.logged('/create-token/[redacted]?[redacted]')
  assert.match(server.log, /"path":"\/create_token\/\[redacted\]"/)
  const told = server.log + (await runSheaf(['audit', '--data', server.folder])).stdout
  assert.ok(!told.includes('Firmware-20'), told)
})

test('a secret that may be guessed is taken with a warning', async () => {
  const digits = '318465920738461920573846'
  const { code, stdout, stderr } = await fed(digits, 'key', 'create', '--name', 'weak', '--json')
  assert.equal(code, 0)
  assert.equal((JSON.parse(stdout) as { name: string }).name, 'weak')
  assert.match(
    stderr,
    /^sheaf: this secret has at most about 79 bits of possible values, fewer than 128, and may be/,
  )
  await becomes(digits, 200)
})

test('standard input that holds no secret is refused, and nothing is made', async () => {
  const create = ['key', 'create', '--name', 'none'] as const
  await refused(/standard input is empty; write the secret there/, '', ...create)
  await refused(/standard input is empty/, '\n', ...create)
  await refused(/character 39 of this one is another/, `${SECRET}\n\n`, ...create)
  await refused(/character 1 of this one is another/, ` ${SECRET}`, ...create)
  const marked = Buffer.from(`\ufeff${SECRET}`)
  await refused(/character 1 of this one is another/, marked, ...create)
  await refused(/this one has 200/, 'x'.repeat(200), ...create)
  await refused(/has more than a secret in it/, 'x'.repeat(1_000_000), ...create)
  await refused(/the name is the secret itself/, SECRET, 'key', 'create', '--name', SECRET)
  const list = await runSheaf(['key', 'list', '--data', server.folder])
  assert.doesNotMatch(list.stdout, /^none /m)
})
