import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../cli/run-sheaf.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const { O_RDWR, O_NONBLOCK } = constants

/** Both ends of a pipe; the reading one never waits. */
function pipe(t: TestContext): { reader: number; writer: number } {
  const path = join(temporaryFolder(t), 'pipe')
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path])
  const reader = openSync(path, O_RDWR | O_NONBLOCK)
  return { reader, writer: openSync(path, 'w') }
}

/** Writes to a pipe until it takes no more; answers how many bytes it took. */
function fill(descriptor: number): number {
  const bytes = Buffer.alloc(4096, '\n')
  for (let written = 0; ; )
    try {
      written += writeSync(descriptor, bytes)
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
      return written
    }
}

async function servesToTheEnd(t: TestContext, stderr: number): Promise<ServerProcess> {
  const server = await startServer({ stderr, env: { SHEAF_LOG_LEVEL: 'info' } })
  t.after(() => server.dispose())
  for (let n = 0; n < 100; n += 1)
    assert.equal((await server.client.send('GET', '/apps/demo/collections')).status, 200)
  // Refusals of handshakes and of keys have lines of their own.
  const headers = { 'X-Service-API-Key': 'shf_wrong' }
  assert.equal((await server.client.send('GET', '/', { headers })).status, 401)
  return server
}

async function stopsSoon(server: ServerProcess): Promise<void> {
  const began = performance.now()
  assert.equal(await server.stop(), 0)
  assert.ok(performance.now() - began < 5000, `the stop took ${performance.now() - began} ms`)
}

describe('a server whose log can not be written', () => {
  it('serves and stops where the disk is full', { skip: process.platform !== 'linux' }, async (t) => {
    const full = openSync('/dev/full', 'w')
    t.after(() => closeSync(full))
    await stopsSoon(await servesToTheEnd(t, full))
  })

  it('serves and stops where the reader of its log has died', async (t) => {
    const { reader, writer } = pipe(t)
    t.after(() => closeSync(writer))
    closeSync(reader)
    await stopsSoon(await servesToTheEnd(t, writer))
  })

  it('serves and stops where nobody reads its log', async (t) => {
    const { reader, writer } = pipe(t)
    t.after(() => [reader, writer].map(closeSync))
    fill(reader)
    await stopsSoon(await servesToTheEnd(t, writer))
  })

  it('writes what it has kept as soon as somebody reads again', async (t) => {
    const { reader, writer } = pipe(t)
    t.after(() => [reader, writer].map(closeSync))
    const filled = fill(reader)
    const server = await servesToTheEnd(t, writer)
    const bytes = Buffer.alloc(filled)
    for (let read = 0; read < filled; ) read += readSync(reader, bytes, read, filled - read, null)
    await stopsSoon(server)
    const length = readSync(reader, bytes)
    const lines = bytes.toString('utf8', 0, length).trimEnd().split('\n')
    const statuses = lines.map((line) => (JSON.parse(line) as { status: number }).status)
    assert.deepEqual(statuses, [...Array.from({ length: 100 }, () => 200), 401])
  })
})
