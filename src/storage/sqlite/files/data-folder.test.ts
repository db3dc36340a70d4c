import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lockDataFolder, openDataFolder, requireDataFolder } from './data-folder.ts'

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function mode(path: string): number {
  return statSync(path).mode & 0o777
}

/** Root may write anywhere, so these checks are made as nobody. */
function asNobody<T>(work: () => T): T {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}

test('a folder that is a file, lies below one or may not be written is refused in one line', (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'below'), '/dev/null'])
    assert.throws(() => openDataFolder(path), {
      code: 'data_folder_unusable',
      message: `can't use ${path} as the data folder: it is, or lies below, something that is not a folder`,
    })
  const shut = join(folder, 'shut')
  mkdirSync(shut)
  chmodSync(folder, 0o755)
  chmodSync(shut, 0o555)
  for (const path of [shut, join(shut, 'below')])
    asNobody(() =>
      assert.throws(() => openDataFolder(path), {
        code: 'data_folder_unusable',
        message: `can't use ${path} as the data folder: this user may not read and write there; run it as the user that the files belong to`,
      }),
    )
  chmodSync(shut, 0o755)
})

test('a folder where the system makes none is refused at once', () => {
  // Node's own recursive mkdir never ends there.
  assert.throws(() => openDataFolder('/proc/sheaf/data'), { code: 'data_folder_unusable' })
})

test("a folder that is made is its owner's alone, and one that is there keeps its mode", (t) => {
  const folder = temporaryFolder(t)
  const made = join(folder, 'deep', 'data')
  openDataFolder(made)
  for (const path of [made, join(made, 'apps'), join(made, 'tls')]) assert.equal(mode(path), 0o700)
  const given = join(folder, 'given')
  mkdirSync(given)
  chmodSync(given, 0o755)
  openDataFolder(given)
  openDataFolder(given)
  assert.equal(mode(given), 0o755)
  assert.equal(mode(join(given, 'apps')), 0o700)
})

test('a folder without data is refused where data has to be', (t) => {
  const folder = temporaryFolder(t)
  for (const path of [folder, join(folder, 'nowhere')])
    assert.throws(() => requireDataFolder(path), {
      code: 'data_folder_unusable',
      message: /no Sheaf data in/,
    })
  // Whoever is told that there is nothing would begin anew.
  mkdirSync(join(folder, 'apps'))
  writeFileSync(join(folder, 'apps', 'a.sqlite'), '')
  assert.throws(() => requireDataFolder(folder), {
    code: 'data_folder_unusable',
    message: /control\.sqlite is missing, though there are documents in apps; restore it/,
  })
})

test('a second lock in the same process is refused until the first is released', (t) => {
  const folder = temporaryFolder(t)
  const lock = lockDataFolder(folder)
  const inUse = { code: 'data_folder_in_use', message: /another server is running on .*--data/ }
  assert.throws(() => lockDataFolder(folder), inUse)
  assert.throws(() => lockDataFolder(folder), inUse)
  assert.equal(mode(join(folder, 'server.lock')), 0o600)
  lock.release()
  lockDataFolder(folder).release()
})

test('a lock is refused at once to another process and given back by kill -9', async (t) => {
  const folder = temporaryFolder(t)
  const script = `
    const { lockDataFolder } = await import(${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)})
    globalThis.lock = lockDataFolder(${JSON.stringify(folder)})
    setInterval(() => {}, 1000)
    console.log('locked')`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  const began = performance.now()
  assert.throws(() => lockDataFolder(folder), { code: 'data_folder_in_use' })
  assert.ok(performance.now() - began < 500, 'it waited for the lock')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  lockDataFolder(folder).release()
})
