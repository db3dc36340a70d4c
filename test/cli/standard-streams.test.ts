import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { Client } from '../server/client.ts'
import { startServer } from '../server/start-server.ts'
import { json, success } from './in-process.ts'
import {
  cleanEnvironment,
  type Finished,
  finished,
  SHEAF,
  storeFolder,
  temporaryFolder,
} from './run-sheaf.ts'

const ON_LINUX = { skip: process.platform !== 'linux' }
const SERVE = ['serve', '--host', '127.0.0.1', '--port', '0']

/** A real process of `bin/sheaf`, whose standard output is a pipe that nobody reads any more, or a file. */
function spawnOnto(where: 'dead pipe' | number, args: readonly string[]): ChildProcess {
  const child = spawn(SHEAF, args, {
    env: cleanEnvironment(),
    stdio: ['ignore', where === 'dead pipe' ? 'pipe' : where, 'pipe'],
  })
  child.stdout?.destroy()
  return child
}

function runOnto(where: 'dead pipe' | number, args: readonly string[]): Promise<Finished> {
  return finished(spawnOnto(where, args))
}

function fullDisk(t: TestContext): number {
  const full = openSync('/dev/full', constants.O_WRONLY)
  t.after(() => closeSync(full))
  return full
}

async function failsWith(run: Promise<Finished>, line: string): Promise<void> {
  const { code, stderr } = await run
  assert.deepEqual({ code, stderr }, { code: 1, stderr: `sheaf: ${line}\n` })
}

const NOBODY_READS = "standard output can't be written: nobody reads it any more"
const DISK_IS_FULL = "standard output can't be written: the disk is full"
const DONE = '; what was asked for is done all the same'

describe('a command whose output can not be written', () => {
  it('ends in one line', async (t) => {
    const data = ['--data', await storeFolder(t)]
    for (const args of [['app', 'list', ...data], ['--help'], ['key', 'create', '--help'], ['--version']])
      await failsWith(runOnto('dead pipe', args), NOBODY_READS)
  })

  it('names a full disk, and in JSON the code', ON_LINUX, async (t) => {
    const data = ['--data', await storeFolder(t)]
    await failsWith(runOnto(fullDisk(t), ['app', 'list', ...data]), DISK_IS_FULL)
    const { code, stderr } = await runOnto(fullDisk(t), ['app', 'list', '--json', ...data])
    assert.deepEqual(
      { code, told: JSON.parse(stderr) },
      { code: 1, told: { code: 'output_failed', message: DISK_IS_FULL } },
    )
  })

  it('makes nothing that was not shown', ON_LINUX, async (t) => {
    const folder = await storeFolder(t)
    const data = ['--data', folder]
    const secret = await success(['key', 'create', '--name', 'first', ...data])
    const before = await json(['audit', ...data])
    for (const args of [
      ['key', 'create', '--name', 'web'],
      ['key', 'create', '--name', 'web', '--json'],
      ['key', 'rotate', 'first'],
      ['app', 'create', 'shop'],
    ]) {
      const { code, stderr } = await runOnto(fullDisk(t), [...args, ...data])
      assert.deepEqual([code, stderr.includes(DISK_IS_FULL)], [1, true])
    }
    await failsWith(runOnto('dead pipe', ['key', 'create', '--name', 'web', ...data]), NOBODY_READS)
    assert.deepEqual(await json(['audit', ...data]), before)
    assert.deepEqual(await json(['app', 'list', ...data]), [])
    assert.deepEqual(readdirSync(`${folder}/apps`), [])
    assert.equal(((await json(['key', 'list', ...data])) as unknown[]).length, 1)
    assert.match(secret, /^shf_/)
  })

  it('does what shows no secret, and says so', ON_LINUX, async (t) => {
    const data = ['--data', await storeFolder(t)]
    await success(['key', 'create', '--name', 'leaked', ...data])
    await success(['app', 'create', 'shop', ...data])
    for (const args of [
      ['key', 'update', 'leaked', '--rate', '5/s'],
      ['key', 'revoke', 'leaked'],
      ['token', 'rotate-secret', '--now'],
      ['app', 'update', 'shop', '--auto-index', 'off'],
      ['app', 'delete', 'shop'],
    ])
      await failsWith(runOnto(fullDisk(t), [...args, ...data]), `${DISK_IS_FULL}${DONE}`)
    assert.deepEqual([await json(['key', 'list', ...data]), await json(['app', 'list', ...data])], [[], []])
  })

  it('keeps its exit code where its failure can not be shown either', ON_LINUX, async (t) => {
    const full = fullDisk(t)
    const child = spawn(SHEAF, ['app', 'list', '--data', temporaryFolder(t)], {
      env: cleanEnvironment(),
      stdio: ['ignore', full, full],
    })
    assert.equal((await finished(child)).code, 1)
  })
})

describe('a standard output that is closed', () => {
  const CLOSED = "standard output can't be written: it is not open for writing"
  /** As `sheaf … >&-` in a shell; Node.js alone can't start a process without one. */
  const runClosed = (args: readonly string[]): Promise<Finished> =>
    finished(
      spawn('/bin/sh', ['-c', 'exec "$0" "$@" >&-', SHEAF, ...args], {
        env: cleanEnvironment(),
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 60_000,
      }),
    )

  it('makes no secret that nobody sees', async (t) => {
    const data = ['--data', await storeFolder(t)]
    await success(['key', 'create', '--name', 'first', ...data])
    const before = await json(['audit', ...data])
    for (const args of [
      ['key', 'create', '--name', 'web'],
      ['key', 'rotate', 'first'],
      ['app', 'create', 'shop'],
    ])
      await failsWith(runClosed([...args, ...data]), CLOSED)
    const { code, stderr } = await runClosed(['key', 'create', '--name', 'web', '--json', ...data])
    assert.deepEqual([code, JSON.parse(stderr)], [1, { code: 'output_failed', message: CLOSED }])
    assert.deepEqual(await json(['audit', ...data]), before)
  })

  it('fails a first start, which has made nothing', async (t) => {
    const folder = temporaryFolder(t)
    await failsWith(runClosed([...SERVE, '--data', folder]), CLOSED)
    const data = ['--data', folder]
    assert.deepEqual([await json(['app', 'list', ...data]), await json(['key', 'list', ...data])], [[], []])
  })
})

describe('serve without its standard output', () => {
  it(
    'fails in one line on a first start, which has made nothing; the next start shows a key',
    ON_LINUX,
    async (t) => {
      const folder = temporaryFolder(t)
      await failsWith(runOnto(fullDisk(t), [...SERVE, '--data', folder]), DISK_IS_FULL)
      await failsWith(runOnto('dead pipe', [...SERVE, '--data', folder]), NOBODY_READS)
      const data = ['--data', folder]
      assert.deepEqual([await json(['app', 'list', ...data]), await json(['key', 'list', ...data])], [[], []])
      const server = await startServer({ folder })
      t.after(() => server.dispose())
      assert.equal((await server.client.send('GET', '/apps/demo/collections')).text, '[]')
    },
  )

  it('goes on at any later start', ON_LINUX, async (t) => {
    const first = await startServer()
    t.after(() => first.dispose())
    await first.stop()
    for (const stdout of [fullDisk(t), 'dead pipe'] as const) {
      const port = String(await freePort())
      const args = ['serve', '--host', '127.0.0.1', '--port', port, '--data', first.folder]
      const child = spawnOnto(stdout, args)
      t.after(() => child.kill('SIGKILL'))
      const ended = finished(child)
      const client = new Client({ port: Number(port), apiKey: first.apiKey, ca: first.ca })
      assert.equal(await firstStatus(client), 200)
      client.close()
      child.kill('SIGTERM')
      const { code, stderr } = await ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    }
  })
})

/** Nothing else says when a server serves that has no standard output. */
async function firstStatus(client: Client): Promise<number> {
  const end = performance.now() + 20_000
  for (;;)
    try {
      return (await client.send('GET', '/')).status
    } catch (error) {
      if (performance.now() > end) throw error
      await wait(50)
    }
}
