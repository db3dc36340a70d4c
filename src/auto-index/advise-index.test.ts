import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DOCUMENTS, record, SCANS, service } from '../../test/auto-index-service.ts'
import type { KnownIndex } from '../storage/index-jobs.ts'
import { adviseIndex } from './advise-index.ts'

/** What is said of queries that were asked for some times, where there are these indexes. */
async function advised({
  times = 1,
  q = '{"x":1}',
  examined = DOCUMENTS,
  known = [] as readonly KnownIndex[],
  documents = DOCUMENTS,
}) {
  const { scan, stats } = service({ isOn: false })
  await scan(times, q, { examined })
  return adviseIndex(stats.allFingerprints()[0]!, { indexes: known, documents: new Map([['c', documents]]) })
}

describe('advice on the queries of a fingerprint', () => {
  it('names no index where none would help, or where reads are fast without one', async () => {
    const { index, state, verdict } = await advised({ q: '{}' })
    assert.deepEqual([index, state, verdict], [undefined, 'no-candidate', 'no index would help'])
    assert.equal((await advised({ times: 100, examined: DOCUMENTS - 1 })).state, 'few-documents')
  })

  it('says how far the queries are from being worth one, in documents looked at too many', async () => {
    const { index, state, missed, needed, verdict } = await advised({ times: 2 })
    assert.deepEqual([index, state, missed, needed], ['x', 'little-benefit', 4000, 36_000])
    assert.equal(verdict, 'looked at 4000 documents too many; worth an index from 36000 on')
  })

  it('goes by the documents that are left, where there are fewer than were looked at', async () => {
    for (const documents of [0, DOCUMENTS - 1]) {
      const { state, needed } = await advised({ times: 2 * SCANS, documents })
      assert.deepEqual([state, needed], ['few-documents', 18 * documents])
    }
  })

  it('says that an index is worth it, and why the service makes none', async () => {
    const { index, state, verdict } = await advised({ times: SCANS })
    assert.deepEqual([index, state], ['x', 'worth'])
    assert.match(verdict, /^not built at .*: automatic indexes are off for this app$/)
  })

  it('names the index that is there, in whatever state, and not that of another collection', async () => {
    const other = record('x', { collection: 'other' })
    assert.equal((await advised({ known: [other] })).state, 'little-benefit')
    for (const [name, state] of [
      ['x', 'building'],
      ['x,y', 'ready'],
      ['x', 'failed'],
    ] as const) {
      const advice = await advised({ known: [other, record(name, { state })] })
      assert.deepEqual([advice.index, advice.state], [name, state])
    }
  })

  it('names the index by which the last read was carried out', async () => {
    const { read, stats } = service()
    await read('{"x":1,"y":{"$gt":2}}', { kind: 'index', index: 'y', examined: 3 })
    const advice = adviseIndex(stats.allFingerprints()[0]!, {
      indexes: [record('x,y'), record('y')],
      documents: new Map(),
    })
    assert.deepEqual([advice.index, advice.state], ['y', 'ready'])
  })
})
