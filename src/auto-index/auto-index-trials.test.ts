import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, record, SCANS, service } from '../../test/auto-index-service.ts'

describe('an automatic index', () => {
  it('that is of no use is given up when the queries have cost as much again, and the next is tried', async () => {
    const { scan, created, dropped } = service()
    const query = '{"x":{"$gt":1}}'
    const options = { s: '{"y":1}' }
    await scan(SCANS * 2 - 1, query, options)
    assert.deepEqual(dropped, [])
    const { decision } = await scan(1, query, options)
    assert.deepEqual(dropped, ['x'])
    const names = created.map(({ name }) => name)
    assert.deepEqual(names, ['x', 'y'])
    assert.equal(decision?.index, 'y')
    assert.equal(decision?.what, 'built')
  })

  it('stays where other queries use it, though these do not', async () => {
    const { scan, read, created, dropped } = service()
    const query = '{"x":{"$gt":1},"y":{"$gt":1}}'
    await scan(SCANS, query)
    await read('{"x":1}', { kind: 'index', index: 'x', examined: 1 }, { returned: 1 })
    await scan(SCANS, query)
    assert.deepEqual(dropped, [])
    assert.equal(created[1]?.name, 'y')
  })

  it('is not made where one is there, but the next is where that one is of no use; by hand it stays', async () => {
    const { scan, created, dropped } = service({ records: [record('x', { isAutomatic: false })] })
    const query = '{"x":{"$gt":1},"y":{"$gt":1}}'
    assert.equal((await scan(SCANS, query)).decision?.why, 'the index x is there already')
    await scan(SCANS, query)
    assert.deepEqual(dropped, [])
    assert.equal(created[0]?.name, 'y')
  })

  it('is the last for 7 days where none of them was of use; then all are tried anew', async () => {
    const { scan, created, dropped, pass } = service()
    const options = { s: '{"y":1}' }
    const scans = (times: number) => scan(times, '{"x":{"$gt":1}}', options)
    assert.equal((await scans(SCANS * 3)).decision?.what, 'dropped')
    assert.deepEqual(dropped, ['x', 'y'])
    pass(7 * DAY_MS - 1)
    await scans(SCANS * 2)
    assert.equal(created.length, 2)
    pass(1)
    await scans(1)
    assert.equal(created[2]?.name, 'x')
  })

  it('is first the one for the sort where answers are full', async () => {
    const { scan, created } = service()
    await scan(SCANS + 1, '{"x":{"$gt":1}}', { s: '{"y":1}', returned: 10 })
    assert.equal(created[0]?.name, 'y')
  })

  it('end for fingerprints that share their candidates, in whatever order each tries them', async () => {
    const { scan, created } = service()
    const rest = ',"name":{"$regex":"foo"}'
    const one = () => scan(1, `{"p":{"$gt":0},"d":{"$gt":0}${rest}}`, { s: '{"e":1}' })
    const other = () => scan(1, `{"p":{"$gt":0},"e":{"$gt":0}${rest}}`, { s: '{"d":1}' })
    for (let i = 0; i < 8; i++) await one()
    for (let i = 0; i < 33; i++) await other()
    for (let i = 0; i < SCANS * 60; i++) {
      await one()
      await other()
    }
    assert.ok(
      created.length <= 6,
      `${created.length} were built, where each fingerprint has three candidates`,
    )
  })
})
