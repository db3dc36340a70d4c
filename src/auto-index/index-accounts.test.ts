import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { readFilter } from '../query/read-query.ts'
import { QueryStats } from '../query-stats/query-stats.ts'
import { IndexAccounts } from './index-accounts.ts'

const AT = { app: 'a', collection: 'c' }

function opened() {
  const now = () => 5
  const stats = new QueryStats({ now, slowMs: 500 })
  const accounts = new IndexAccounts({ stats, now })
  /** A read that returns one document. */
  const scan = (examined: number, field = 'x') => {
    const filter = readFilter(JSON.stringify({ [field]: 1 }), DEFAULT_LIMITS)
    const report = { plan: { kind: 'scan' as const, examined }, returned: 1, milliseconds: 1 }
    const read = { ...AT, filter, sort: [], limit: 10, startedAt: 5, report }
    const query = stats.record(read)
    accounts.charge(query, read)
    return query.account!
  }
  return { stats, accounts, scan }
}

describe('the accounts of automatic indexes', () => {
  it('book what an index would have spared: of each read, four are taken off for the document that it found', () => {
    const { scan } = opened()
    scan(100)
    assert.equal(scan(50).missedBenefit, 96 + 46)
  })

  it('are what is forgotten last where a fingerprint has missed much', () => {
    const { stats, scan } = opened()
    for (let number = 0; number < 1001; number++) scan(10 + number, `f${number}`)
    const { fingerprints } = stats.snapshot()
    assert.equal(fingerprints.length, 901)
    assert.equal(fingerprints[0]?.fingerprint, 'f100 eq')
  })

  it('hold nothing against an index that a read could not have used, for it began before', () => {
    const { scan } = opened()
    const account = scan(100)
    account.countedFrom = 6
    assert.equal(scan(100).missedBenefit, 96)
    account.countedFrom = 5
    assert.equal(scan(100).missedBenefit, 192)
  })

  it('count writes only where something is read', () => {
    const { accounts, scan } = opened()
    accounts.countWrites(AT, 1000)
    scan(504)
    accounts.countWrites(AT, 10)
    accounts.countWrites({ app: 'a', collection: 'other' }, 1000)
    assert.equal(scan(4).missedBenefit, 500 - 10 * 42)
  })

  it('go on from what was saved, with writes counted anew', () => {
    const before = opened()
    before.accounts.countWrites(AT, 1000)
    before.scan(100_000)
    before.accounts.adopt({ ...AT, name: 'x' }, 2000)
    const saved = JSON.parse(JSON.stringify(before.stats.snapshot()))
    const { stats, accounts, scan } = opened()
    stats.restore(saved)
    accounts.resume(saved.savedAt)
    assert.equal(scan(14).missedBenefit, 99_996 + 10)
    assert.equal(accounts.automaticIndexes()[0]?.account?.credit, 18 * 2000)
    accounts.countWrites(AT, 1)
    assert.equal(scan(4).missedBenefit, 99_996 + 10 - 42)
    assert.equal(accounts.automaticIndexes()[0]?.account?.credit, 18 * 2000 - 42)
  })
})
