import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Limits } from '../../src/domain/limits.ts'
import { openSqliteStore } from '../../src/storage/sqlite/client/store.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import type { AppRecord, DocumentStore } from '../../src/storage/store.ts'
import { memoryStore } from '../memory-store.ts'

export interface StoreOptions {
  readonly slugs: readonly string[]
  readonly limits: Limits
  readonly serviceNames: readonly string[]
}

export interface OpenedStore {
  readonly store: DocumentStore
  readonly apps: readonly AppRecord[]
  close(): Promise<void>
}

/** The embedded store on a folder of its own, or with `SHEAF_TEST_STORE=memory` the one in plain code. */
export function openStore(options: StoreOptions): Promise<OpenedStore> {
  return process.env.SHEAF_TEST_STORE === 'memory' ? openMemory(options) : openSqlite(options)
}

/** @param chunkLength length of a long answer's chunks; without it every answer is whole */
export async function openMemory(options: StoreOptions, chunkLength?: number): Promise<OpenedStore> {
  const apps = options.slugs.map((slug) => ({ id: `id-of-${slug}`, slug, owner: null, createdAt: 0 }))
  const chunks = chunkLength === undefined ? {} : { chunkLength }
  const store = memoryStore({ ...options, ...chunks, apps: apps.map(({ id }) => id) })
  return { store, apps, close: () => store.close() }
}

async function openSqlite({ slugs, limits, serviceNames }: StoreOptions): Promise<OpenedStore> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-http-'))
  openDataFolder(dataDir)
  const control = await openAccounts({ dataDir })
  const apps: AppRecord[] = []
  for (const slug of slugs) apps.push(await control.createApp({ slug, owner: null }, 'test'))
  await control.close()
  const onFailure = (error: unknown): void => console.error(error)
  const store = await openSqliteStore({
    dataDir,
    limits,
    serviceNames,
    foregroundThreads: 1,
    backgroundThreads: 1,
    onFailure,
  })
  return {
    store,
    apps,
    close: async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
