import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { BinEntry } from '../src/storage/collection-store.ts'
import { compactApp } from '../src/storage/sqlite/compact-app.ts'
import { appFile, lockDataFolder } from '../src/storage/sqlite/files/data-folder.ts'
import type { AppSize } from '../src/storage/store.ts'
import { checkCatalog } from './check-catalog.ts'
import { filterOf } from './contract-harness.ts'
import { AT, documentsFrom, SqliteEngine } from './sqlite-engine.ts'

const DOCUMENTS = 800
const NOW = Date.UTC(2026, 0, 1)
const DAY_MS = 24 * 60 * 60 * 1000
const BODIES = Array.from({ length: DOCUMENTS }, (_, n) => new Map([['p', `${n}${'x'.repeat(500)}`]]))

/** An app most of whose documents were deleted, and one collection of which is in the bin. */
function withGaps(t: TestContext) {
  const engine = new SqliteEngine()
  t.after(() => engine.close())
  const { dataDir } = engine
  engine.addIndex('p', [{ path: ['p'], direction: 1 }])
  engine.save(documentsFrom(BODIES))
  const binned = { kind: 'upkeep', step: 'bin', reason: 'empty', ...AT, by: 'ada', now: NOW } as const
  const { id } = engine.write(binned) as BinEntry
  engine.save(documentsFrom(BODIES))
  engine.write({ kind: 'deleteMany', ...AT, filter: filterOf('{"_id":{"$gt":9}}'), isFinal: true })
  const compact = (now = NOW) => compactApp({ dataDir, app: AT.app, now })
  const size = () => engine.read<AppSize>({ kind: 'size', app: AT.app })
  return { engine, dataDir, id, compact, size, file: appFile(dataDir, AT.app) }
}

describe('the file of an app', () => {
  it('is not compacted while a server has the data folder', async (t) => {
    const { dataDir, compact } = withGaps(t)
    const lock = lockDataFolder(dataDir)
    t.after(() => lock.release())
    await assert.rejects(compact(), { code: 'data_folder_in_use' })
  })

  it('is refused as gone where there is none', async (t) => {
    const { dataDir } = withGaps(t)
    await assert.rejects(compactApp({ dataDir, app: 'none', now: NOW }), { code: 'app_not_found' })
    assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
  })

  it('has no more than its documents and its bin when it was compacted, whoever else has it open', async (t) => {
    const { engine, dataDir, file, id, compact, size } = withGaps(t)
    const { freeBytes } = size()
    assert.ok(freeBytes > 4e5, String(freeBytes))
    const { bytesBefore, bytesAfter } = await compact()
    assert.equal(bytesAfter, statSync(file).size)
    assert.ok(
      bytesBefore - bytesAfter >= freeBytes,
      `${bytesBefore} to ${bytesAfter}, ${freeBytes} were free`,
    )
    assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
    assert.equal(size().freeBytes, 0)
    assert.deepEqual(engine.connection.row('PRAGMA integrity_check'), ['ok'])
    assert.deepEqual(engine.connection.row('PRAGMA journal_mode'), ['wal'])
    assert.deepEqual(
      size().collections.map(({ documents, indexes }) => [documents, indexes]),
      [[10, 1]],
    )
    engine.save(documentsFrom(BODIES.slice(0, 1), DOCUMENTS))
    const restored = { kind: 'upkeep', step: 'restore', app: AT.app, id, collection: 'd', now: NOW } as const
    assert.equal((engine.write(restored) as BinEntry).documents, DOCUMENTS)
    checkCatalog(engine.connection)
  })

  it('is compacted without what a killed compaction has left beside it', async (t) => {
    const { dataDir, compact } = withGaps(t)
    const left = join(dataDir, 'tmp', 'job-killed')
    mkdirSync(left, { recursive: true })
    for (const name of ['lock', 'compact.sqlite']) writeFileSync(join(left, name), '')
    await compact()
    assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
  })

  it('loses what has been in the bin for its time', async (t) => {
    const { engine, compact } = withGaps(t)
    await compact(NOW + 7 * DAY_MS - 1)
    assert.equal(engine.read<BinEntry[]>({ kind: 'bin', app: AT.app }).length, 1)
    const { bytesAfter } = await compact(NOW + 7 * DAY_MS)
    assert.ok(bytesAfter < 0.3e6, String(bytesAfter))
    assert.deepEqual(engine.read({ kind: 'bin', app: AT.app }), [])
    checkCatalog(engine.connection)
  })
})
