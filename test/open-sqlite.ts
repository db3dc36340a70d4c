import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Limits } from '../src/domain/limits.ts'
import type { OpenedSqliteStore } from '../src/storage/sqlite/client/sqlite-store.ts'
import { openSqliteStore } from '../src/storage/sqlite/client/store.ts'
import { openAccounts } from '../src/storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../src/storage/sqlite/files/data-folder.ts'
import type { OpenedStore } from './contract-harness.ts'

interface OpenedSqlite extends OpenedStore {
  readonly store: OpenedSqliteStore
  reopen(): Promise<OpenedSqlite>
}

/** The embedded store on a new data folder with one app. Closing it removes the folder. */
export async function openSqlite(limits: Limits): Promise<OpenedSqlite & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-store-'))
  openDataFolder(dataDir)
  const control = await openAccounts({ dataDir })
  const { id } = await control.createApp({ slug: 'demo', owner: null }, 'test')
  await control.close()
  return { ...(await openOn(dataDir, id, limits)), dataDir }
}

async function openOn(dataDir: string, app: string, limits: Limits): Promise<OpenedSqlite> {
  const failures: unknown[] = []
  const store = await openSqliteStore({
    dataDir,
    limits,
    serviceNames: ['Service'],
    foregroundThreads: 1,
    backgroundThreads: 2,
    onFailure: (error) => failures.push(error),
  })
  return {
    store,
    app,
    reopen: async () => {
      await store.close()
      return openOn(dataDir, app, limits)
    },
    close: async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
      assert.deepEqual(failures, [])
    },
  }
}
