import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cleanEnvironment, finished, SHEAF, temporaryFolder } from '../cli/run-sheaf.ts'
import { startServer } from './start-server.ts'

/** Runs `sheaf serve`, which has to end by itself with one clear line and exit code 1; answers the line. */
async function failedStart(args: readonly string[]): Promise<string> {
  const child = spawn(SHEAF, ['serve', '--host', '127.0.0.1', '--port', '0', ...args], {
    env: cleanEnvironment(),
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 10_000,
    killSignal: 'SIGKILL',
  })
  const { code, stdout, stderr } = await finished(child)
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, stderr)
  assert.match(stderr, /^sheaf: [^\n]+\n$/)
  return stderr
}

function folder(t: TestContext): string {
  return join(temporaryFolder(t), 'data')
}

test('a second server on a data folder fails in one line, and the first goes on', async (t) => {
  const server = await startServer()
  t.after(() => server.dispose())
  assert.match(await failedStart(['--data', server.folder]), /another server is running on .*--data/)
  assert.equal((await server.client.send('GET', '/')).status, 200)
  await server.kill()
  const successor = await startServer({ folder: server.folder, apiKey: server.apiKey })
  assert.equal((await successor.client.send('GET', '/')).status, 200)
  await successor.kill()
})

test('a port that is in use fails in one line, and the first start after it still shows a key', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const data = folder(t)
  for (const host of ['127.0.0.1', 'localhost'])
    assert.match(
      await failedStart(['--data', data, '--host', host, '--port', String(port)]),
      new RegExp(`can't listen on port ${port}: another program uses it.*--port`),
    )
  const server = await startServer({ folder: data })
  t.after(() => server.dispose())
  assert.equal((await server.client.send('GET', '/')).status, 200)
})

test('a folder that can not be written, or is none, fails in one line', async (t) => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  for (const data of [file, join(file, 'below'), '/proc/sheaf', '/dev/null'])
    assert.match(await failedStart(['--data', data]), /can't use .* as the data folder/)
})

test('a certificate that is broken, missing or foreign fails in one line', async (t) => {
  const server = await startServer()
  t.after(() => server.dispose())
  await server.stop()
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(server.folder, 'tls', name)) as [
    string,
    string,
  ]
  const foreign = await startServer()
  t.after(() => foreign.dispose())
  await foreign.stop()
  const garbage = join(server.folder, 'garbage.pem')
  writeFileSync(garbage, 'garbage')
  const data = ['--data', folder(t)]
  for (const [certFile, keyFile, problem] of [
    [garbage, key, /garbage\.pem is not a certificate/],
    [cert, garbage, /garbage\.pem is not a private key/],
    [cert, join(server.folder, 'missing.pem'), /there is no private key at/],
    [cert, join(foreign.folder, 'tls', 'key.pem'), /does not belong to the certificate/],
  ] as const)
    assert.match(await failedStart([...data, '--tls-cert', certFile, '--tls-key', keyFile]), problem)
  writeFileSync(cert, 'garbage')
  assert.match(await failedStart(['--data', server.folder]), /cert\.pem is not a certificate/)
})

test('a data file that is damaged fails in one line', async (t) => {
  const server = await startServer()
  t.after(() => server.dispose())
  await server.stop()
  writeFileSync(join(server.folder, 'control.sqlite'), 'no database '.repeat(1000))
  assert.match(await failedStart(['--data', server.folder]), /control\.sqlite is damaged/)
})
