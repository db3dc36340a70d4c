import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment, finished } from './run-sheaf.ts'

const STAND_IN = fileURLToPath(new URL('./serve-stand-in.ts', import.meta.url))

function start(t: TestContext, args: readonly string[]) {
  const child = spawn(process.execPath, [STAND_IN, ...args], { env: cleanEnvironment() })
  t.after(() => child.kill('SIGKILL'))
  return { child, result: finished(child) }
}

async function untilPrinted(child: ChildProcess): Promise<void> {
  await once(child.stdout!, 'data')
}

test('a first signal closes the server and ends the process with 0', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const { child, result } = start(t, ['/data'])
    await untilPrinted(child)
    child.kill(signal)
    const { code, stdout, stderr } = await result
    assert.equal(stdout, 'Sheaf serves https://localhost:8443\nclosing\nclosed\n')
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  }
})

test('a signal that comes twice at once, as under npm, is one', async (t) => {
  const { child, result } = start(t, ['/data', 'slow'])
  await untilPrinted(child)
  // The server closes when both have come. A third could find the process on its way out, where nothing takes it any more.
  child.kill('SIGINT')
  child.kill('SIGTERM')
  assert.equal((await result).code, 0)
})

test('a second signal ends a stop that takes too long, with 1', async (t) => {
  const { child, result } = start(t, ['/data', 'stuck'])
  await untilPrinted(child)
  child.kill('SIGTERM')
  await untilPrinted(child)
  child.kill('SIGTERM')
  assert.equal((await result).code, 1)
})

test('a first start shows the app, the key, what makes an account and a line for the shell', async (t) => {
  const firstStart = JSON.stringify({ appSlug: 'demo', apiKey: 'shf_0123' })
  const { child, result } = start(t, [
    "/my data's",
    'quick',
    firstStart,
    'https://localhost:8443/_/setup#secret',
  ])
  await untilPrinted(child)
  child.kill('SIGTERM')
  const { stdout } = await result
  assert.equal(
    stdout,
    `This is the first start. It makes
  an app      demo
  an API key  shf_0123   (shown this once; keep it)

Sheaf serves https://localhost:8443

Make the first account within 24 hours:
  https://localhost:8443/_/setup#secret

Save a first document:
  curl --cacert '/my data'\\''s/tls/cert.pem' -H 'X-Service-API-Key: shf_0123' \
-H 'Content-Type: application/json' -d '{"text":"hello"}' https://localhost:8443/apps/demo/collections/notes
closing
closed
`,
  )
})
