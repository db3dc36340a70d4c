import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { indexName } from '../query/index-fields.ts'
import { readFilter, readSort } from '../query/read-query.ts'
import { QueryStats } from '../query-stats/query-stats.ts'
import { hasCandidates, nextCandidate } from './candidate-indexes.ts'
import { IndexAccounts } from './index-accounts.ts'

/** The candidates for a query in turn, where its answers are full and where they are not. */
function inTurn(q: string, s?: string, { isFull = false } = {}): string[] {
  const filter = readFilter(q, DEFAULT_LIMITS)
  const sort = readSort(s, DEFAULT_LIMITS)
  const report = { plan: { kind: 'scan' as const, examined: 10 }, returned: isFull ? 2 : 1, milliseconds: 1 }
  const stats = new QueryStats({ now: () => 0, slowMs: 500 })
  const read = { app: 'a', collection: 'c', filter, sort, limit: 2, startedAt: 0, report }
  const query = stats.record(read)
  new IndexAccounts({ stats, now: () => 0 }).charge(query, read)
  const account = query.account!
  for (let next = nextCandidate(query); next !== undefined; next = nextCandidate(query))
    account.tried = [...account.tried, indexName(next)]
  assert.equal(hasCandidates(account.candidates), account.tried.length > 0)
  return [...account.tried]
}

describe('the indexes that are considered for a query', () => {
  it('are none where none would help', () => {
    const none: [q: string, s?: string][] = [
      ['{}'],
      ['{"a":{"$not":1}}'],
      ['{"a":{"$regex":"middle"}}'],
      ['{"_id":"x","a":1}'],
      ['{"_id":"x"}', '{"a":1}'],
      ['{}', '{"_id":1}'],
      ['{}', '{"a":1,"b":1,"c":1,"d":1,"e":1}'],
    ]
    for (const [q, s] of none) assert.deepEqual(inTurn(q, s), [], q)
  })

  it('have the fields with one value first, then the sort with its directions', () => {
    assert.deepEqual(inTurn('{"b":1,"a":2}', '{"d":-1,"c":1}'), ['a,b,d:-1,c'])
    assert.deepEqual(inTurn('{"a":1}', '{"a":-1}'), ['a'])
    assert.deepEqual(inTurn('{}', '{"a":1,"_id":1}'), ['a,_id'])
  })

  it('have several values and a range after them where there is no sort, each range in its turn', () => {
    assert.deepEqual(inTurn('{"r":{"$gt":1},"s":{"$lt":1},"i":{"$in":[1]},"e":1}'), ['e,i,r', 'e,i,s'])
    assert.deepEqual(inTurn('{"p":{"$regex":"^x"}}'), ['p'])
    assert.deepEqual(inTurn('{"h":{"$has":1},"b":1}'), ['b,h'])
    assert.deepEqual(inTurn('{"a":1,"b":1,"c":1,"d":1,"e":1}'), ['a,b,c,d'])
    assert.deepEqual(inTurn('{"a":1,"b":1,"c":1,"d":1,"e":{"$gt":1}}'), ['a,b,c,d'])
    assert.deepEqual(inTurn('{"$and":[{"a":1},{"a":{"$gt":0}}]}'), ['a'])
  })

  it('are those for the conditions and the one for the sort where no index does for both', () => {
    assert.deepEqual(inTurn('{"at":{"$gt":1}}', '{"name":1}'), ['at', 'name'])
    assert.deepEqual(inTurn('{"u":{"$in":[1,2]}}', '{"at":-1}'), ['u', 'at:-1'])
    assert.deepEqual(inTurn('{"u":{"$regex":"^u1"}}', '{"at":1}'), ['u', 'at'])
    assert.deepEqual(inTurn('{"e":1,"q":{"$gt":1},"r":{"$gt":1}}', '{"s":1}'), ['e,q', 'e,r', 'e,s'])
    assert.deepEqual(inTurn('{"r":{"$gt":1}}', '{"a":1,"b":1,"c":1,"d":1,"e":1}'), ['r'])
    assert.deepEqual(inTurn('{"r":{"$gt":1}}', '{"_id":-1}'), ['r'])
  })

  it('are one where the sort begins with the field that narrows', () => {
    assert.deepEqual(inTurn('{"at":{"$gt":1}}', '{"at":-1}'), ['at:-1'])
    assert.deepEqual(inTurn('{"e":1,"at":{"$gt":1}}', '{"at":-1,"x":1}'), ['e,at:-1,x'])
  })

  it('begin with the one for the sort where answers are full, for then the first in order are enough', () => {
    const options = { isFull: true }
    assert.deepEqual(inTurn('{"at":{"$gt":1}}', '{"name":1}', options), ['name', 'at'])
    assert.deepEqual(inTurn('{"r":{"$gt":1},"s":{"$lt":1}}', undefined, options), ['r', 's'])
  })
})
