import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { EVERY_DOCUMENT } from '../src/query/ast.ts'
import type { SqliteStore } from '../src/storage/sqlite/client/sqlite-store.ts'
import { openSqliteStore } from '../src/storage/sqlite/client/store.ts'
import { openAccounts } from '../src/storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../src/storage/sqlite/files/data-folder.ts'

const MIB = 1024 * 1024
/** As docs/reference/limits.md has it. */
const BOUND_BYTES = 64 * MIB
/** One group of writes may come on top. */
const GROUP_BYTES = 16 * MIB
/** Enough to be seen where a log is not kept short. */
const WRITTEN_BYTES = 3 * BOUND_BYTES
const DOCUMENTS = 100
const TEXT_LENGTH = 10_000
const PERMITTED = { create: true, update: true }

let dataDir: string
let app: string
let store: SqliteStore
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sheaf-log-'))
  openDataFolder(dataDir)
  const control = await openAccounts({ dataDir })
  app = (await control.createApp({ slug: 'demo', owner: null }, 'test')).id
  await control.close()
  const onFailure = (error: unknown): void => console.error(error)
  store = await openSqliteStore({
    dataDir,
    limits: DEFAULT_LIMITS,
    serviceNames: ['Service'],
    foregroundThreads: 1,
    backgroundThreads: 2,
    onFailure,
  })
})
after(async () => {
  await store?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function logBytes(): number {
  return statSync(join(dataDir, 'apps', `${app}.sqlite-wal`), { throwIfNoEntry: false })?.size ?? 0
}

let saves = 0

/** Saves a hundred documents of 10 kB over the ones of the same writer before, and different from them. */
async function save(writer: number): Promise<void> {
  const text = String(saves++ % 10).repeat(TEXT_LENGTH)
  const documents = Array.from({ length: DOCUMENTS }, (_, n) => ({
    id: `${writer} ${n}`,
    text: `{"_id":"${writer} ${n}","text":"${text}"}`,
  }))
  await store.saveDocuments({ app, collection: 'written', permitted: PERMITTED, documents })
}

/** Reads all documents a chunk at a time, as slowly as a client may. */
async function readSlowly(isOver: () => boolean): Promise<void> {
  const everything = { app, collection: 'written', filter: EVERY_DOCUMENT, sort: [], skip: 0, limit: 1e9 }
  while (!isOver()) {
    const { rest } = await store.findDocuments(everything)
    for await (const _ of rest ?? []) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function readConstantly(isOver: () => boolean): Promise<void> {
  const filter = { kind: 'regex', path: ['text'], pattern: '1+2' } as const
  while (!isOver()) await store.countDocuments({ app, collection: 'written', filter })
}

describe('the write-ahead log', () => {
  it('stays short under constant writes, constant reads and a slow one', async (t) => {
    let written = 0
    let longest = 0
    const isOver = (): boolean => written >= WRITTEN_BYTES
    const write = async (writer: number): Promise<void> => {
      while (!isOver()) {
        await save(writer)
        written += DOCUMENTS * TEXT_LENGTH
        longest = Math.max(longest, logBytes())
      }
    }
    await Promise.all([
      ...[1, 2, 3, 4].map(write),
      ...[1, 2, 3].map(() => readConstantly(isOver)),
      readSlowly(isOver),
    ])
    t.diagnostic(`${Math.round(longest / MIB)} MiB at most, of ${Math.round(written / MIB)} MiB written`)
    assert.ok(longest <= BOUND_BYTES + GROUP_BYTES, `${longest} bytes`)
  })

  it('goes, and everything that holds it, with its app', async () => {
    const control = await openAccounts({ dataDir })
    await control.createApp({ slug: 'gone', owner: null }, 'test')
    await store.refreshDirectory()
    const gone = store.directory().apps.get('gone')!.id
    const documents = Array.from({ length: 2000 }, (_, n) => ({ id: n, text: `{"_id":${n}}` }))
    await store.saveDocuments({ app: gone, collection: 'some', permitted: PERMITTED, documents })
    await save(1)
    await control.removeApp('gone', 'test')
    await control.close()
    await store.refreshDirectory()
    // One more write, behind which every thread has been told.
    await save(1)
    await store.countDocuments({ app, collection: 'written', filter: EVERY_DOCUMENT })
    const held = (): string[] =>
      readdirSync('/proc/self/fd')
        .map((fd) => linkOf(`/proc/self/fd/${fd}`))
        .filter((link) => link.includes(gone))
    // Each thread closes its own files in its time.
    for (const end = performance.now() + 5000; held().length > 0 && performance.now() < end; ) await wait(10)
    assert.deepEqual(held(), [])
  })

  it('is gone when the store is closed', async () => {
    await save(1)
    await store.close()
    assert.deepEqual(readdirSync(join(dataDir, 'apps')), [`${app}.sqlite`])
  })
})

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
