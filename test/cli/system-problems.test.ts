import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { failureLine } from '../../src/cli/failure-line.ts'
import { startServer } from '../server/start-server.ts'
import {
  cleanEnvironment,
  type Finished,
  failure,
  finished,
  runSheaf,
  SHEAF,
  storeFolder,
  success,
  temporaryFolder,
} from './run-sheaf.ts'
import { withSmallDisk } from './small-disk.ts'

function shell(script: string, ...args: readonly string[]): Promise<Finished> {
  const child = spawn('/bin/bash', ['-c', script, 'bash', SHEAF, ...args], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return finished(child)
}

function fill(disk: string): void {
  for (const bytes of [65_536, 4096, 512])
    try {
      for (;;) writeFileSync(join(disk, 'filler'), Buffer.alloc(bytes), { flag: 'a' })
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
    }
}

describe('what the system refuses is named', () => {
  it('in the one line of a command, without a word of an unexpected failure', () => {
    const lineOf = (about: object): string => failureLine(Object.assign(new Error('what Node says'), about))!
    assert.equal(lineOf({ code: 'ENOSPC' }), 'sheaf: the disk is full (what Node says)')
    assert.equal(
      lineOf({ code: 'EMFILE' }),
      'sheaf: too many open files (EMFILE); raise ulimit -n, or LimitNOFILE in a unit of systemd (what Node says)',
    )
    assert.equal(lineOf({ errcode: 13 }), 'sheaf: the disk is full (what Node says)')
    assert.match(lineOf({ code: 'EINVAL' }), /^sheaf: unexpected failure: what Node says; SHEAF_DEBUG=1/)
  })

  it('where the working directory is gone', { skip: process.platform !== 'linux' }, async (t) => {
    const folder = join(temporaryFolder(t), 'gone')
    mkdirSync(folder)
    for (const command of ['app list', 'serve --port 0']) {
      const { code, stderr } = await shell(
        `cd "$2" && rmdir "$2" && "$1" ${command}; s=$?; mkdir -p "$2"; exit $s`,
        folder,
      )
      assert.equal(code, 1)
      // The shell, too, says something.
      assert.match(stderr, /^sheaf: the working directory is gone; change to one that is there/m)
      assert.doesNotMatch(stderr, /unexpected/)
    }
  })

  it('where there are too many open files', { skip: process.platform !== 'linux' }, async (t) => {
    const folder = await storeFolder(t)
    const lines = new Set<string>()
    // Fewer, and Node.js itself doesn't start.
    for (const openFiles of [22, 23, 24, 25, 26]) {
      const { code, stdout, stderr } = await shell(
        `ulimit -n ${openFiles}; exec "$1" app list --data "$2"`,
        folder,
      )
      if (code === 0) assert.equal(stdout, 'APP  CREATED\n')
      else lines.add(stderr)
    }
    for (const line of lines)
      assert.match(
        line,
        /^sheaf: can't use .* as the data folder: too many open files \(EMFILE\); raise ulimit -n.*\n$/,
      )
    assert.ok(lines.size <= 1)
  })

  it('where the disk is full, by commands, by a start, and in the log of a server', async (t) => {
    if (!(await withSmallDisk(onFullDisk))) t.skip('it takes a file system of its own')
  })
})

async function onFullDisk(disk: string): Promise<void> {
  const data = join(disk, 'data')
  const server = await startServer({ folder: data })
  try {
    fill(disk)
    const body = JSON.stringify({ a: 'x'.repeat(100_000) })
    const { status, text } = await server.client.send('POST', '/apps/demo/collections/c', { body })
    assert.deepEqual([status, JSON.parse(text).code], [503, 'store_unavailable'])
    assert.match(server.log, /disk is full/)
    assert.match(server.log, /is about to be full, and then every write fails: \d of 2 MiB are free/)
    // It was shown when nothing but the commit was left to do.
    const key = await runSheaf(['key', 'create', '--name', 'x', '--data', data])
    assert.equal(key.code, 1)
    assert.match(key.stderr, /^sheaf: .*; do not rely on what was printed \(the disk is full\)\n$/)
    assert.match(await failure(['app', 'create', 'shop', '--data', data]), /disk is full/)
    await server.stop()
    assert.match(
      await failure(['serve', '--port', '0', '--data', join(disk, 'new')]),
      / can't be written: the disk is full$/,
    )
    rmSync(join(disk, 'filler'))
    assert.equal(JSON.parse(await success(['key', 'list', '--json', '--data', data])).length, 1)
  } finally {
    await server.dispose()
  }
}
