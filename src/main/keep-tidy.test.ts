import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { PROCESS } from '../../test/account-context.ts'
import { createQuotaUses } from '../credentials/quota-uses.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { openControlFile } from '../storage/sqlite/control/control-file.ts'
import { openAccounts } from '../storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { AccountsWorker } from './accounts-worker.ts'
import { keepTidy } from './keep-tidy.ts'

/** Long before the clock of the thread. */
const DELETED = Date.UTC(2026, 0, 1)
const HOUR_MS = 60 * 60 * 1000

async function folderWithDeletedApp(t: TestContext): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  openDataFolder(dataDir)
  const accounts = await openAccounts({ dataDir, now: () => DELETED })
  await accounts.createApp({ slug: 'demo', owner: null }, 'test')
  await accounts.deleteApp('demo', 'test')
  await accounts.close()
  return dataDir
}

describe('a server that runs', () => {
  it('tells of a control file that can not be read, and looks again', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const told: string[] = []
    const control = {
      hasExpiredApps: () => {
        throw new Error('unreadable')
      },
    }
    const log = { fault: (line: string) => void told.push(line) }
    t.after(keepTidy({ control, accounts: { tidy: () => assert.fail() }, sitesToCollect: () => [], log }))
    t.mock.timers.tick(2 * HOUR_MS)
    assert.deepEqual(told, ['what has ended can not be removed', 'what has ended can not be removed'])
  })

  it('removes a deleted app when it can be restored no more', async (t) => {
    const dataDir = await folderWithDeletedApp(t)
    const clock = { now: DELETED }
    const control = await openControlFile(dataDir, () => clock.now)
    t.after(() => control.close())
    const failures: unknown[] = []
    const accounts = new AccountsWorker({
      settings: () => ({
        dataDir,
        limits: DEFAULT_LIMITS,
        quotaUses: createQuotaUses(),
        origin: 'https://localhost:8443',
        sitesDomain: 'localhost',
        ownHosts: new Set<string>(),
        backups: undefined,
        webhookHosts: [],
        isSignupOpen: false,
        slowMs: 500,
        isAutoIndexOn: true,
        process: { ...PROCESS, memoryBytes: 0 },
      }),
      onFailure: (error) => failures.push(error),
      onFailedBackup: assert.fail,
      onBackups: () => assert.fail(),
      onProblem: assert.fail,
    })
    t.mock.timers.enable({ apis: ['setInterval'] })
    const asked: number[] = []
    const watched = {
      tidy: () => {
        asked.push(clock.now)
        accounts.tidy()
      },
    }
    const log = { fault: (line: string) => assert.fail(line) }
    const left = { sitesToCollect: () => [] }
    const end = keepTidy({ control, accounts: watched, ...left, log, now: () => clock.now })
    t.mock.timers.tick(HOUR_MS)
    assert.deepEqual(asked, [], 'it can be restored still')
    clock.now += 7 * 24 * HOUR_MS
    t.mock.timers.tick(HOUR_MS)
    assert.deepEqual(asked, [clock.now])
    end()
    await accounts.close()
    assert.deepEqual([readdirSync(join(dataDir, 'apps')), failures], [[], []])
    assert.equal(control.hasExpiredApps(clock.now), false)
    accounts.tidy()
  })
})
