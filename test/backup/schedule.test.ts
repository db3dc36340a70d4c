import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it, type TestContext } from 'node:test'
import type { AccountsContext } from '../../src/operations/context.ts'
import { keepBackup, keepDueBackup } from '../../src/operations/keep-backup.ts'
import { listBackups } from '../../src/operations/list-backups.ts'
import type { BackupSchedule, MadeBackup } from '../../src/storage/backup-store.ts'
import { SqliteBackups } from '../../src/storage/sqlite/sqlite-backups.ts'
import { openAccountContext, type TestAccountContext } from '../account-context.ts'
import { dataFolder, LIMITS, temporary } from './backup-folder.ts'

const CLOCK = { kind: 'command-line', actor: 'schedule' } as const
const HOUR_MS = 60 * 60 * 1000

let made: TestAccountContext
let folder = ''
let context: AccountsContext

/** A schedule over a data folder without apps, by the clock of the test. */
async function schedule(t: TestContext, change: Partial<BackupSchedule> = {}): Promise<void> {
  const dataDir = await dataFolder(t)
  folder = join(temporary(t), 'kept')
  mkdirSync(folder)
  const backups = new SqliteBackups({
    onProblem: assert.fail,
    ...{ dataDir, limits: LIMITS, version: '0.1.0', now: () => made.clock.now },
    schedule: { folder, everyMs: HOUR_MS, keep: 2, ...change },
  })
  t.after(() => backups.close())
  context = made.contextWith({ backups })
}

const names = (): string[] => readdirSync(folder).sort()

beforeEach(async () => {
  made = await openAccountContext()
  made.clock.now = Date.UTC(2026, 10, 29, 12, 0, 0)
})
afterEach(() => made.close())

describe('backups by the clock', () => {
  it('are made when they are due, the first at once, and the oldest go', async (t) => {
    await schedule(t)
    const { clock } = made
    await keepDueBackup(context, CLOCK)
    assert.deepEqual(names(), ['sheaf-20261129T120000Z.zip'])
    clock.now += HOUR_MS - 1
    await keepDueBackup(context, CLOCK)
    assert.equal(names().length, 1)
    clock.now += 1
    await keepDueBackup(context, CLOCK)
    clock.now += 2.5 * HOUR_MS
    await keepDueBackup(context, CLOCK)
    assert.deepEqual(names(), ['sheaf-20261129T130000Z.zip', 'sheaf-20261129T153000Z.zip'])
    const { nextAt, every, lastSuccess, lastFailure, backups } = await listBackups(context, CLOCK)
    assert.deepEqual(
      [nextAt, every, lastSuccess?.name, lastFailure, backups.map(({ madeAt }) => madeAt)],
      [
        '2026-11-29T16:30:00.000Z',
        '1h',
        'sheaf-20261129T153000Z.zip',
        null,
        ['2026-11-29T15:30:00.000Z', '2026-11-29T13:00:00.000Z'],
      ],
    )
  })

  it('that fail are told of, leave those that are there, and are tried again after ten minutes', async (t) => {
    await schedule(t)
    const { clock } = made
    rmSync(folder, { recursive: true })
    await assert.rejects(keepDueBackup(context, CLOCK), { code: 'store_unavailable' })
    const told = await listBackups(context, CLOCK)
    assert.match(
      told.lastFailure!.message,
      /^sheaf-20261129T120000Z\.zip can't be made: the folder \/\S+\/kept doesn't exist$/,
    )
    assert.equal(told.nextAt, '2026-11-29T12:10:00.000Z')
    mkdirSync(folder)
    clock.now += 9 * 60 * 1000
    await keepDueBackup(context, CLOCK)
    assert.deepEqual(names(), [])
    clock.now += 60 * 1000
    await keepDueBackup(context, CLOCK)
    assert.deepEqual(names(), ['sheaf-20261129T121000Z.zip'])
    assert.equal((await listBackups(context, CLOCK)).lastFailure, null)
  })

  it('go on when the clock was set back, and what it made before pushes none out and stays', async (t) => {
    await schedule(t)
    const ofWrongClock = ['sheaf-20300101T000000Z.zip', 'sheaf-20300102T000000Z.zip']
    const earlier = ['sheaf-20261129T100000Z.zip', 'sheaf-20261129T110000Z.zip']
    for (const name of [...ofWrongClock, ...earlier]) writeFileSync(join(folder, name), '')
    await keepDueBackup(context, CLOCK)
    assert.deepEqual(names(), [earlier[1], 'sheaf-20261129T120000Z.zip', ...ofWrongClock])
    assert.equal((await listBackups(context, CLOCK)).nextAt, '2026-11-29T13:00:00.000Z')
  })

  it('are made for whoever asks where the schedule has no clock, and never by itself', async (t) => {
    await schedule(t, { everyMs: undefined })
    await keepDueBackup(context, CLOCK)
    assert.deepEqual(names(), [])
    assert.deepEqual(await keepBackup(context, CLOCK), {
      ...{ name: 'sheaf-20261129T120000Z.zip', madeAt: '2026-11-29T12:00:00.000Z' },
      bytes: (await context.backups.kept())[0]?.bytes,
    })
  })

  it('wait for what others make and restore, however much that is, and are told of when they wait for long', async (t) => {
    await schedule(t)
    const { clock } = made
    const { backups } = context
    const others = Array.from({ length: 9 }, () => backups.make({ hasSecrets: true }))
    const due = keepDueBackup(context, CLOCK)
    while ((await listBackups(context, CLOCK)).isUnderWay === false);
    clock.now += 10 * 60 * 1000 - 1
    await keepDueBackup(context, CLOCK)
    assert.equal((await listBackups(context, CLOCK)).lastFailure, null)
    clock.now += 1
    await assert.rejects(keepDueBackup(context, CLOCK), { code: 'overloaded', message: /overdue/ })
    assert.match((await listBackups(context, CLOCK)).lastFailure!.message, /overdue/)
    await due
    await Promise.all(others)
    assert.deepEqual(names(), ['sheaf-20261129T120000Z.zip'])
    const { isUnderWay, lastFailure } = await listBackups(context, CLOCK)
    assert.deepEqual([isUnderWay, lastFailure], [false, null])
  })

  it('remove what a killed server has left, and leave what another one may be at', async (t) => {
    await schedule(t)
    const child = spawn('true')
    await once(child, 'exit')
    const left = (pid = 0) => `.sheaf-20261129T090000Z.zip.${pid}.unfinished`
    const young = `.sheaf-20261129T113000Z.zip.${child.pid}.unfinished`
    const others = [left(process.ppid), young, `${left(child.pid)}.mine`]
    for (const name of [left(child.pid), left(process.pid), ...others]) {
      writeFileSync(join(folder, name), 'half')
      const minutes = name === young ? 59 : 60
      const seconds = made.clock.now / 1000 - minutes * 60
      utimesSync(join(folder, name), seconds, seconds)
    }
    await keepBackup(context, CLOCK)
    assert.deepEqual(names(), [...others, 'sheaf-20261129T120000Z.zip'].sort())
  })

  it('touch no file that is called otherwise', async (t) => {
    await schedule(t, { keep: 1 })
    const others = [
      '.sheaf-20200101T000000Z.zip',
      'notes.zip',
      'sheaf-20200101T000000Z.zip.old',
      'sheaf-2020.zip',
    ]
    for (const name of others) writeFileSync(join(folder, name), '')
    mkdirSync(join(folder, 'sheaf-20200102T000000Z.zip'))
    await keepBackup(context, CLOCK)
    assert.deepEqual(names(), [...others, 'sheaf-20200102T000000Z.zip', 'sheaf-20261129T120000Z.zip'].sort())
  })
})

describe('the thread of backups', () => {
  it('takes one upload of an account at a time, and two in all, until their files are gone', async (t) => {
    await schedule(t)
    const { backups } = context
    const { path } = await backups.prepareUpload('ada')
    await assert.rejects(backups.prepareUpload('ada'), { code: 'rate_limited', message: /this account/ })
    await backups.prepareUpload('bob')
    await assert.rejects(backups.prepareUpload('eve'), { code: 'overloaded' })
    await backups.discard(path)
    await backups.prepareUpload('eve')
  })

  it('does one after the other, refuses too many, and gives up when the server stops', async (t) => {
    await schedule(t)
    const { backups } = context
    const all = Array.from({ length: 10 }, () => backups.make({ hasSecrets: true }))
    const refused = all.pop()!
    await assert.rejects(refused, { code: 'overloaded' })
    const first = await all.shift()!
    assert.equal(first.apps, 0)
    await (backups as SqliteBackups).close()
    const rest = (await Promise.allSettled(all)) as PromiseSettledResult<MadeBackup>[]
    assert.equal(rest.at(-1)?.status, 'rejected')
  })
})
