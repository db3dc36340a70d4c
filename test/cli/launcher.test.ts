import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cleanEnvironment, finished, SHEAF, temporaryFolder } from './run-sheaf.ts'

const VERSION = /^\d+\.\d+\.\d+\n$/
const SYSTEM_PATH = '/usr/bin:/bin'

/** A script that answers `--version` as a Node.js of that version does, and else says which one it is. */
function fakeNode(path: string, version: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    `#!/bin/sh\nif [ "$*" = --version ]; then echo ${version}; else echo "${version} $*"; fi\n`,
  )
  chmodSync(path, 0o755)
}

/** A clone with nothing in it but the command, and a machine whose `node` is of the given version. */
function fakeClone(t: TestContext, versions: { machine?: string; clone?: string }, memory?: string) {
  const root = realpathSync(temporaryFolder(t))
  mkdirSync(join(root, 'clone', 'bin'), { recursive: true })
  cpSync(SHEAF, join(root, 'clone', 'bin', 'sheaf'))
  if (versions.machine) fakeNode(join(root, 'machine', 'node'), versions.machine)
  if (versions.clone) fakeNode(join(root, 'clone', 'node_modules', 'node', 'bin', 'node'), versions.clone)
  // Without a word on it a container that the tests run in would have one.
  const env = { PATH: `${join(root, 'machine')}:${SYSTEM_PATH}`, SHEAF_MEMORY: memory ?? '64GiB' }
  return finished(
    spawn(join(root, 'clone', 'bin', 'sheaf'), ['app', 'a b', ''], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  ).then((result) => ({ ...result, script: join(root, 'clone', 'src', 'cli', 'main.ts') }))
}

test('the command is executable by everybody', () => {
  assert.equal(statSync(SHEAF).mode & 0o777, 0o755)
})

test('without a Node.js that is new enough there is one clear line', async (t) => {
  for (const versions of [
    { machine: 'v20.20.2' },
    { machine: 'v24.6.9' },
    { machine: 'v9.9.9' },
    { machine: 'garbage' },
  ]) {
    const { code, stdout, stderr } = await fakeClone(t, versions)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /^sheaf: Node\.js 24\.7 or newer is needed: run "npm ci"[^\n]*\n$/)
  }
})

test("where the clone's Node.js does not start there is one line that says why", async (t) => {
  const { code, stdout, stderr } = await fakeClone(t, { machine: 'v20.20.2', clone: 'no libatomic.so.1' })
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  assert.equal(stderr, "sheaf: the clone's Node.js does not start: no libatomic.so.1\n")
})

test("an older machine's Node.js is passed over for the clone's", async (t) => {
  const { stdout, script } = await fakeClone(t, { machine: 'v20.20.2', clone: 'v26.10.0' })
  assert.equal(
    stdout,
    `v26.10.0 --disable-sigusr1 --disable-warning=ExperimentalWarning ${script} app a b \n`,
  )
})

test("a machine's Node.js of 24.7 or newer is used", async (t) => {
  const { stdout, script } = await fakeClone(t, { machine: 'v24.7.0', clone: 'v26.10.0' })
  assert.equal(stdout, `v24.7.0 --disable-sigusr1 --disable-warning=ExperimentalWarning ${script} app a b \n`)
  assert.match((await fakeClone(t, { machine: 'v100.1.0' })).stdout, /^v100\.1\.0 /)
})

test('the command works from anywhere, through links to links, by name and by path', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'with space', 'bin'), { recursive: true })
  const outer = join(folder, 'with space', 'outer')
  symlinkSync(SHEAF, join(folder, 'with space', 'bin', 'sheaf'))
  symlinkSync(join('bin', 'sheaf'), outer)
  const env = cleanEnvironment({ CDPATH: '/' })
  const byName = { ...env, PATH: `${join(folder, 'with space', 'bin')}:${env.PATH}` }
  const clone = dirname(dirname(SHEAF))
  const calls = [
    { words: [outer], cwd: '/' },
    { words: ['./outer'], cwd: join(folder, 'with space') },
    { words: ['sheaf'], cwd: '/' },
    { words: ['sh', 'sheaf'], cwd: dirname(SHEAF) },
    { words: ['bin/sheaf'], cwd: clone },
  ]
  const runs = calls.map(({ words: [command = '', ...args], cwd }) =>
    spawn(command, [...args, '--version'], { env: byName, cwd }),
  )
  for (const { code, stdout, stderr } of await Promise.all(runs.map(finished))) {
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, VERSION)
  }
})

test('with little memory the heap of the main thread is bounded', async (t) => {
  const { stdout } = await fakeClone(t, { machine: 'v24.7.0' }, '512MiB')
  assert.match(stdout, /^v24\.7\.0 --max-old-space-size=192 --max-semi-space-size=2 --disable-sigusr1/)
  for (const memory of ['1GiB', '08MiB', '12xMiB', 'MiB'])
    assert.match((await fakeClone(t, { machine: 'v24.7.0' }, memory)).stdout, /^v24\.7\.0 --disable-/)
})
