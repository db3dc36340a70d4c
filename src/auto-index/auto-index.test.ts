import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AT, DAY_MS, DOCUMENTS, record, SCANS, service } from '../../test/auto-index-service.ts'
import { AppError } from '../errors.ts'
import type { KnownIndex } from '../storage/index-jobs.ts'
import { COST } from './auto-index-rule.ts'

describe('an automatic index is not made', () => {
  it('before the queries have cost what it costs', async () => {
    const { scan, created } = service()
    await scan(SCANS - 1)
    assert.deepEqual(created, [])
  })

  it('for a small collection, or for a few queries', async () => {
    const { scan, created } = service()
    await scan(1000, '{"x":1}', { examined: 1999 })
    await scan(9, '{"y":1}', { examined: 1_000_000 })
    assert.deepEqual(created, [])
  })

  it('where queries find much of what they look at', async () => {
    const { scan, created } = service()
    await scan(1000, '{"x":1}', { returned: DOCUMENTS / COST.found })
    assert.deepEqual(created, [])
  })

  it('where writes would cost more than it spares', async () => {
    const { scan, accounts, created } = service()
    for (let round = 0; round < 100; round++) {
      await scan(1)
      accounts.countWrites(AT, Math.ceil(DOCUMENTS / COST.upkeep))
    }
    assert.deepEqual(created, [])
  })

  it('where one begins with its fields already, in whatever way it was made', async () => {
    for (const fields of ['x', 'x:-1', 'x,y']) {
      const { scan, created } = service({ records: [record(fields, { isAutomatic: false })] })
      const { decision } = await scan(100)
      assert.deepEqual(created, [])
      const why = `the index ${fields} is there already`
      assert.deepEqual(decision, { at: 0, what: 'not built', index: 'x', why })
    }
  })

  it('in the place of one that failed, which its operator meant to be unique', async () => {
    const { scan, created } = service({ records: [record('x', { state: 'failed', isUnique: true })] })
    assert.equal((await scan(100)).decision?.what, 'not built')
    assert.deepEqual(created, [])
  })

  it('as the seventeenth of a collection', async () => {
    const records = Array.from({ length: 16 }, (_, number) => record(`f${number}`))
    const { scan, created } = service({ records })
    assert.equal((await scan(100)).decision?.why, 'the collection has 16 automatic indexes')
    assert.deepEqual(created, [])
  })

  it('where the app has them off', async () => {
    const { scan, created } = service({ isOn: false })
    assert.equal((await scan(100)).decision?.why, 'automatic indexes are off for this app')
    assert.deepEqual(created, [])
  })

  it('again and again where it fails', async () => {
    const { scan, failures, pass } = service({ failure: new Error('the disk is full') })
    assert.equal((await scan(100)).decision?.what, 'failed')
    assert.equal(failures.length, 1)
    pass(60 * 60 * 1000)
    await scan(100)
    assert.equal(failures.length, 2)
  })
})

describe('an automatic index', () => {
  it('is not dropped because no server ran for a while', async () => {
    const { scan, stats } = service()
    await scan(SCANS)
    const later = service()
    later.pass(30 * DAY_MS)
    const saved = stats.snapshot()
    later.stats.restore(saved)
    later.accounts.resume(saved.savedAt)
    await later.review()
    later.pass(7 * DAY_MS)
    await later.review()
    assert.deepEqual(later.accounts.automaticIndexes().length, 1)
    later.pass(1)
    await later.review()
    assert.deepEqual(later.accounts.automaticIndexes(), [])
  })

  it('that a stop of the server left unfinished is taken over by the next start', async () => {
    const { scan, auto, failures } = service({
      failure: new AppError('store_unavailable', 'the work on indexes was stopped'),
    })
    const { query, decision } = await scan(SCANS)
    assert.equal(decision?.what, 'building')
    auto.adopt({ ...AT, name: 'x' }, DOCUMENTS)
    assert.equal(query.account?.decision?.what, 'built')
    assert.deepEqual(failures, [])
  })

  it('is made when queries have cost what it costs, and is never unique', async () => {
    const { scan, created, pass } = service()
    pass(7)
    const { decision } = await scan(SCANS)
    const fields = [{ path: ['x'], direction: 1 }]
    assert.deepEqual(created, [{ ...AT, name: 'x', fields, isUnique: false, isAutomatic: true, now: 7 }])
    assert.equal(decision?.what, 'built')
  })

  it('serves conditions and sort together', async () => {
    const { scan, created } = service()
    await scan(SCANS, '{"x":1}', { s: '{"y":-1}' })
    assert.equal(created[0]?.name, 'x,y:-1')
  })

  it('is dropped when it was not used for 7 days, and not made again for another 7', async () => {
    const { scan, created, dropped, pass, review } = service()
    await scan(SCANS)
    pass(7 * DAY_MS)
    await review()
    assert.deepEqual(dropped, [])
    pass(1)
    await review()
    assert.deepEqual(dropped, ['x'])
    await scan(SCANS * 2)
    assert.equal(created.length, 1)
    pass(7 * DAY_MS)
    await scan(1)
    assert.equal(created.length, 2)
  })

  it('is dropped when it has cost writes what building it did and what it spared', async () => {
    const { scan, read, accounts, dropped, review } = service()
    await scan(SCANS)
    await read('{"x":1}', { kind: 'index', index: 'x', examined: 1 }, { returned: 1 })
    const writes = (COST.built * DOCUMENTS + DOCUMENTS - COST.found) / COST.upkeep
    accounts.countWrites(AT, Math.floor(writes))
    await review()
    assert.deepEqual(dropped, [])
    accounts.countWrites(AT, 1)
    await review()
    assert.deepEqual(dropped, ['x'])
  })

  it('is forgotten where its app is gone', async () => {
    const { scan, accounts, jobs, failures, pass, review } = service()
    await scan(SCANS)
    jobs.list = () => Promise.reject(new AppError('app_not_found', 'there is no such app'))
    pass(7 * DAY_MS + 1)
    await review()
    assert.deepEqual(failures, [])
    assert.deepEqual(accounts.automaticIndexes(), [])
  })

  it('is left alone where its name has come to be that of one made by hand', async () => {
    const records: KnownIndex[] = []
    const { scan, dropped, pass, review } = service({ records })
    await scan(SCANS)
    records[0] = record('x', { isAutomatic: false })
    pass(7 * DAY_MS + 1)
    await review()
    assert.deepEqual(dropped, [])
  })
})
