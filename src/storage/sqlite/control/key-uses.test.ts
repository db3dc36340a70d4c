import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { UNLIMITED } from '../../../domain/key-rules.ts'
import { DEFAULT_LIMITS } from '../../../domain/limits.ts'
import { openSqliteStore } from '../client/store.ts'
import { openDataFolder } from '../files/data-folder.ts'
import { openAccounts } from './open-accounts.ts'

test('the store notes uses of keys, and everybody keeps the directory that they have', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  openDataFolder(dataDir)
  const control = await openAccounts({ dataDir })
  const { id } = await control.createKey(
    { owner: null, name: 'web', hash: '1'.repeat(64), rules: UNLIMITED },
    'cli:test',
  )
  const store = await openSqliteStore({
    dataDir,
    limits: DEFAULT_LIMITS,
    serviceNames: ['Service'],
    foregroundThreads: 1,
    backgroundThreads: 1,
    onFailure: (error) => assert.fail(String(error)),
  })
  t.after(async () => {
    await store.close()
    await control.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const before = store.directory()
  await store.recordKeyUses(new Map([[id, 1234]]))
  await store.refreshDirectory()
  assert.equal(store.directory(), before)
  assert.equal((await control.listKeys())[0]?.lastUsedAt, 1234)
})
