import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { makeBackup } from '../../src/storage/sqlite/backup/make-backup.ts'
import { restoreFolder } from '../../src/storage/sqlite/backup/restore-folder.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { lockDataFolder, openDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import { createAppFile } from '../../src/storage/sqlite/files/schema.ts'
import {
  makeTemporaryFolder,
  sweepTemporaryFolders,
} from '../../src/storage/sqlite/files/temporary-folder.ts'
import { runInProcess } from '../cli/in-process.ts'
import { cleanEnvironment, SHEAF, success } from '../cli/run-sheaf.ts'
import { withSmallDisk } from '../cli/small-disk.ts'
import { backupOf, dataFolder, fillApp, LIMITS, temporary } from './backup-folder.ts'

/** Some 4 MB that can't be compressed. */
let dataDir = ''
let backup = ''

before(async (t) => {
  const context = t as TestContext
  dataDir = await dataFolder(context, async (accounts, folder) => {
    const { id } = await accounts.createApp({ slug: 'demo', owner: null }, 'test')
    const documents = Array.from(
      { length: 1000 },
      (_, _id) => [_id, `{"_id":${_id},"text":"${randomBytes(3000).toString('base64')}"}`] as const,
    )
    fillApp(folder, id, [{ name: 'notes', documents }])
  })
  backup = await backupOf(context, dataDir)
})

/** Runs a command and sends it a signal as soon as something is in a folder. */
async function killedAt(
  folder: string,
  isTime: (names: string[]) => boolean,
  args: readonly string[],
  wanted: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  const watcher = watch(folder)
  const child = spawn(SHEAF, args, { env: cleanEnvironment(), stdio: 'ignore' })
  const ended = once(child, 'exit')
  const look = (): void => void (isTime(readdirSync(folder)) && child.kill(wanted))
  watcher.on('change', look)
  const [, signal] = await ended
  watcher.close()
  assert.equal(signal, wanted)
}

describe('what is killed in the middle', () => {
  it('is a backup of which nothing has its name, and whose temporary files the next start removes', async (t) => {
    const folder = temporary(t)
    const file = join(folder, 'all.zip')
    writeFileSync(file, 'the last one')
    await killedAt(folder, (names) => names.length > 1, ['backup', file, '--data', dataDir])
    assert.equal(readFileSync(file, 'utf8'), 'the last one')
    assert.ok(readdirSync(join(dataDir, 'tmp')).length > 0)
    sweepTemporaryFolders(dataDir)
    assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
  })

  it('is a restore that is no store, which another one takes the place of', async (t) => {
    const restored = join(temporary(t), 'restored')
    mkdirSync(join(restored, 'tmp'), { recursive: true })
    await killedAt(join(restored, 'tmp'), (names) => names.length > 0, [
      'restore',
      backup,
      '--data',
      restored,
    ])
    assert.equal(existsSync(join(restored, 'control.sqlite')), false)
    // As where it is killed a moment later.
    for (const name of ['control.sqlite', 'apps/0123456789abcdef.sqlite', 'tls/cert.pem'])
      writeFileSync(join(restored, name), 'half of it')
    for (const args of [['serve'], ['app', 'list'], ['export', 'demo', 'notes']])
      assert.match(
        (await runInProcess([...args, '--data', restored])).stderr,
        /a restore into this folder did not end; run it again, or empty the folder$/m,
      )
    const { documents } = await restoreFolder({ source: backup, dataDir: restored, limits: LIMITS })
    assert.equal(documents, 1000)
    assert.match(await success(['app', 'list', '--data', restored]), /\ndemo /)
    assert.equal(existsSync(join(restored, 'restore.unfinished')), false)
    assert.equal(readdirSync(join(restored, 'apps')).length, 1)
  })
})

describe('a backup that is ended by a signal', () => {
  it('leaves nothing, and has ended by it', async (t) => {
    const folder = temporary(t)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const args = ['backup', join(folder, 'all.zip'), '--data', dataDir]
      await killedAt(folder, (names) => names.length > 0, args, signal)
      assert.deepEqual([readdirSync(folder), readdirSync(join(dataDir, 'tmp'))], [[], []], signal)
    }
  })
})

describe('a folder for temporary files', () => {
  it('stays while the process that made it goes on, whoever starts', (t) => {
    const folder = temporary(t)
    openDataFolder(folder)
    const job = makeTemporaryFolder(folder)
    writeFileSync(join(folder, 'tmp', 'left.zip'), '')
    mkdirSync(join(folder, 'tmp', 'left'))
    sweepTemporaryFolders(folder)
    assert.deepEqual(
      readdirSync(join(folder, 'tmp')).map((name) => join(folder, 'tmp', name)),
      [job.path],
    )
    job.remove()
    assert.deepEqual(readdirSync(join(folder, 'tmp')), [])
  })
})

describe('what root makes in a data folder of another user', {
  skip: process.getuid?.() !== 0 && 'it takes root',
}, () => {
  it('is that user’s, whose server has to work there', (t) => {
    const folder = temporary(t)
    openDataFolder(folder)
    chownSync(folder, 1234, 1234)
    const job = makeTemporaryFolder(folder)
    for (const made of [join(folder, 'tmp'), job.path]) assert.equal(statSync(made).uid, 1234)
    createAppFile(join(job.path, 'app.sqlite'))
    assert.equal(statSync(join(job.path, 'app.sqlite')).uid, 1234)
    job.remove()
  })
})

describe('a folder that a restore is working in', () => {
  it('takes no other one, and no server', async (t) => {
    const folder = temporary(t)
    const lock = lockDataFolder(folder)
    const restoring = restoreFolder({ source: backup, dataDir: folder, limits: LIMITS })
    await assert.rejects(restoring, { code: 'data_folder_in_use' })
    lock.release()
  })
})

describe('a full disk', () => {
  it('is found before anything is copied to it', async (t) => {
    const isDone = await withSmallDisk(async (disk) => {
      openDataFolder(disk)
      await (await openAccounts({ dataDir: disk })).close()
      const path = join(temporary(t), 'all.zip')
      const making = makeBackup({ dataDir: disk, path, hasSecrets: true, version: '0.1.0', now: 0 })
      await assert.rejects(making, {
        code: 'store_unavailable',
        message:
          /^the disk has no room for a backup of control\.sqlite: \d+ bytes are needed, and 0 are free/,
      })
      assert.deepEqual(readdirSync(join(disk, 'tmp')), [])
    })
    if (!isDone) t.skip('it takes a file system of its own')
  })

  it('leaves the last backup as it was, and of a restore nothing', async (t) => {
    const isDone = await withSmallDisk(async (disk) => {
      const file = join(disk, 'all.zip')
      writeFileSync(file, 'the last one')
      const made = await runInProcess(['backup', file, '--data', dataDir])
      assert.deepEqual([made.code, made.stdout], [1, ''])
      assert.match(made.stderr, /^sheaf: all\.zip can't be made: the disk is full/)
      assert.deepEqual(readdirSync(disk), ['all.zip'])
      assert.equal(readFileSync(file, 'utf8'), 'the last one')
      assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
      const data = join(disk, 'data')
      const restored = await runInProcess(['restore', backup, '--data', data])
      assert.match(restored.stderr, /^sheaf: the disk has no room for this backup: it holds \d+ bytes/)
      assert.equal(existsSync(join(data, 'control.sqlite')), false)
      const fromStream = restoreFolder({
        source: chunks(readFileSync(backup)),
        dataDir: data,
        limits: LIMITS,
      })
      await assert.rejects(fromStream, { code: 'ENOSPC' })
      assert.deepEqual(readdirSync(data).sort(), ['restore.unfinished', 'server.lock'])
    })
    if (!isDone) t.skip('it takes a file system of its own')
  })
})

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536)
}
