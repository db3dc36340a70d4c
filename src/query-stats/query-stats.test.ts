import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { readFilter } from '../query/read-query.ts'
import { QueryStats } from './query-stats.ts'

const SECRET = 'Ada-1815'

function scan(
  stats: QueryStats,
  field: string,
  { app = 'a', examined = 10, milliseconds = 1, limit = 10 } = {},
) {
  const filter = readFilter(JSON.stringify({ [field]: SECRET }), DEFAULT_LIMITS)
  const report = { plan: { kind: 'scan' as const, examined }, returned: 1, milliseconds }
  return stats.record({ app, collection: 'c', filter, sort: [], limit, startedAt: 5, report })
}

function newStats() {
  return new QueryStats({ now: () => 5, slowMs: 500 })
}

describe('the query statistics', () => {
  it('hold no value of a query', () => {
    const stats = newStats()
    scan(stats, 'name')
    assert.ok(!JSON.stringify(stats.snapshot()).includes(SECRET))
  })

  it('are bounded, and forget what took least', () => {
    const stats = newStats()
    for (let number = 0; number < 1001; number++) scan(stats, `f${number}`, { milliseconds: 10 + number })
    const { fingerprints } = stats.snapshot()
    assert.equal(fingerprints.length, 901)
    assert.equal(fingerprints[0]?.fingerprint, 'f100 eq')
  })

  it('add up what a fingerprint costs, slow reads and full answers apart', () => {
    const stats = newStats()
    scan(stats, 'x', { examined: 100, milliseconds: 499 })
    assert.deepEqual(scan(stats, 'x', { examined: 50, milliseconds: 500, limit: 1 }), {
      app: 'a',
      collection: 'c',
      fingerprint: 'x eq',
      count: 2,
      examined: 150,
      returned: 2,
      milliseconds: 999,
      maxMilliseconds: 500,
      slowCount: 1,
      fullCount: 1,
      lastSeenAt: 5,
      documents: 100,
      lastPlan: { kind: 'scan' },
    })
  })

  it('count the uses of an index', () => {
    const stats = newStats()
    const report = { plan: { kind: 'index' as const, index: 'x', examined: 1 }, returned: 1, milliseconds: 1 }
    const filter = readFilter('{"x":1}', DEFAULT_LIMITS)
    const read = { app: 'a', collection: 'c', filter, sort: [], limit: 10, startedAt: 5, report }
    stats.record(read)
    stats.record(read)
    assert.deepEqual(stats.allIndexes(), [{ app: 'a', collection: 'c', name: 'x', uses: 2, lastUsedAt: 5 }])
  })

  it('forget apps that are no more', () => {
    const stats = newStats()
    scan(stats, 'x', { app: 'a' })
    scan(stats, 'x', { app: 'b' })
    stats.keepOnly(new Set(['b']))
    assert.deepEqual(
      stats.snapshot().fingerprints.map(({ app }) => app),
      ['b'],
    )
  })
})
