import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { openSqlite } from '../../../test/open-sqlite.ts'
import { DEFAULT_LIMITS } from '../../domain/limits.ts'
import { Connection } from './files/connection.ts'
import { appFile } from './files/data-folder.ts'
import { leftWork } from './index/left-work.ts'
import { IndexWorker } from './index-worker.ts'
import { measureCollections } from './measure-collections.ts'
import { SqliteIndexes } from './sqlite-indexes.ts'

async function opened(t: TestContext) {
  const { store, app, dataDir, close } = await openSqlite(DEFAULT_LIMITS)
  const worker = new IndexWorker({ dataDir })
  t.after(async () => {
    await worker.close()
    await close()
  })
  const documents = Array.from({ length: 3000 }, (_, n) => ({ text: `{"n":${n}}` }))
  await store.saveDocuments({
    app,
    collection: 'c',
    permitted: { create: true, update: true },
    documents,
  })
  const command = {
    app,
    collection: 'c',
    name: 'n',
    fields: [{ path: ['n'], direction: 1 as const }],
    isUnique: false,
    isAutomatic: true,
    now: 0,
  }
  return { app, dataDir, worker, command }
}

describe('the thread for indexes', () => {
  it('hands on what the store refuses, and takes the next job', async (t) => {
    const { app, worker } = await opened(t)
    await assert.rejects(worker.drop({ app, collection: 'c', name: 'none' }), { code: 'index_not_found' })
    await assert.rejects(worker.list('none'), { code: 'app_not_found' })
    assert.deepEqual(await worker.list(app), [])
  })

  it('measures what collections take, of apps that are there', async (t) => {
    const { app, dataDir, worker, command } = await opened(t)
    const sizes = async () => Object.fromEntries(await worker.measure([app, 'none']))
    // An id of 26 characters, a number of up to four digits, and the names of both.
    const [c] = (await sizes())[app]!
    assert.deepEqual([c?.name, c?.documents, c?.indexBytes], ['c', 3000, 0])
    assert.ok(c!.bytes > 3000 * 30 && c!.bytes < 3000 * 50, `${c!.bytes} bytes`)
    await worker.create(command)
    const [record] = await worker.records(app)
    const [indexed, ...others] = (await sizes())[app]!
    assert.deepEqual([indexed?.indexBytes, others], [record?.bytes, []])
    assert.ok(record!.bytes > 3000 * 5)
    // Of a large file: what documents don't take.
    const connection = new Connection(appFile(dataDir, app), 'reader')
    const [reckoned] = measureCollections(connection, 0)
    connection.close()
    assert.ok(reckoned!.indexBytes >= record!.bytes && reckoned!.indexBytes < 10 * record!.bytes)
  })

  it('brings no collection back that was dropped', async (t) => {
    const { worker, command } = await opened(t)
    await assert.rejects(worker.create({ ...command, collection: 'gone' }), { code: 'index_not_found' })
    await worker.create({ ...command, collection: 'asked-for', isAutomatic: false })
  })

  it('drops no index that was asked for by hand since it was made', async (t) => {
    const { app, dataDir, worker, command } = await opened(t)
    await worker.create(command)
    const byHand = new SqliteIndexes({ dataDir })
    await byHand.createIndex({ ...command, isAutomatic: false })
    await byHand.close()
    await assert.rejects(worker.drop(command), { code: 'index_not_found' })
    const [index] = await worker.list(app)
    assert.deepEqual([index?.state, index?.isAutomatic], ['ready', false])
  })

  it('makes an index and drops it', async (t) => {
    const { app, worker, command } = await opened(t)
    await worker.create(command)
    const [made] = await worker.list(app)
    assert.equal(made?.state, 'ready')
    assert.equal(made?.documents, 3000)
    await worker.drop(command)
    assert.deepEqual(await worker.list(app), [])
  })

  it('is needed where an index is unfinished or automatic, and where a file can not be read', async (t) => {
    const { app, dataDir, worker, command } = await opened(t)
    const file = appFile(dataDir, app)
    assert.equal(leftWork(file).indexes, false)
    const byHand = { ...command, name: 'by-hand', isAutomatic: false }
    const indexes = new SqliteIndexes({ dataDir })
    await indexes.createIndex(byHand)
    assert.equal(leftWork(file).indexes, true)
    await indexes.finishIndexes(app)
    await indexes.close()
    assert.equal(leftWork(file).indexes, false)
    await worker.create(command)
    assert.equal(leftWork(file).indexes, true)
    assert.equal(leftWork(appFile(dataDir, 'none')).indexes, true)
  })

  it('finishes what was left unfinished, apps that are gone or broken apart', async (t) => {
    const { app, dataDir, worker, command } = await opened(t)
    const indexes = new SqliteIndexes({ dataDir })
    await indexes.createIndex(command)
    assert.equal((await indexes.listIndexes(app))[0]?.state, 'building')
    await indexes.close()
    writeFileSync(appFile(dataDir, 'broken'), '')
    const { automatic, failures } = await worker.finishAll(['gone', 'broken', app])
    assert.deepEqual(
      failures.map((failure) => (failure as Error & { code?: string }).code),
      ['store_unavailable'],
    )
    assert.deepEqual([...automatic.keys()], [app])
    assert.equal(automatic.get(app)?.[0]?.state, 'ready')
  })

  it('ends when it is asked to, and does nothing afterwards', async (t) => {
    const { app, worker, command } = await opened(t)
    const making = worker.create(command)
    await worker.close()
    await making.catch((error) => assert.equal(error.code, 'store_unavailable'))
    await assert.rejects(worker.list(app), { code: 'store_unavailable' })
  })
})
