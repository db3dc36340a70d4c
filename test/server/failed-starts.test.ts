import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { generateKeyPem, selfSignedCertificate } from '../../src/certificates/self-signed.ts'
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
  for (const data of [file, join(file, 'below'), '/dev/null', '/proc/sheaf'])
    assert.match(await failedStart(['--data', data]), /can't use .* as the data folder/)
})

test('a certificate that is broken, missing or foreign fails in one line', async (t) => {
  const files = temporaryFolder(t)
  const key = generateKeyPem()
  const cert = await selfSignedCertificate({
    key: createPrivateKey(key),
    hostName: 'localhost',
    now: Date.now(),
  })
  const file = (name: string, text: string): string => {
    writeFileSync(join(files, name), text)
    return join(files, name)
  }
  const [certFile, keyFile] = [file('cert.pem', cert), file('key.pem', key)]
  const [garbage, foreign] = [file('garbage.pem', 'garbage'), file('foreign.pem', generateKeyPem())]
  for (const [ownCert, ownKey, problem] of [
    [garbage, keyFile, /garbage\.pem is not a certificate/],
    [certFile, garbage, /garbage\.pem is not a private key/],
    [certFile, join(files, 'missing.pem'), /there is no private key at/],
    [certFile, foreign, /does not belong to the certificate/],
  ] as const)
    assert.match(await failedStart(['--data', files, '--tls-cert', ownCert, '--tls-key', ownKey]), problem)
})

test('a data file that is damaged fails in one line', async (t) => {
  const data = temporaryFolder(t)
  mkdirSync(join(data, 'tls'))
  writeFileSync(join(data, 'tls', 'cert.pem'), 'garbage')
  writeFileSync(join(data, 'tls', 'key.pem'), 'garbage')
  assert.match(await failedStart(['--data', data]), /cert\.pem is not a certificate/)
  rmSync(join(data, 'tls'), { recursive: true })
  writeFileSync(join(data, 'control.sqlite'), 'no database '.repeat(1000))
  assert.match(await failedStart(['--data', data]), /control\.sqlite is damaged/)
})
