import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { readFilter } from '../query/read-query.ts'
import type { ReadReport } from '../storage/store.ts'
import { QueryStats } from './query-stats.ts'
import { slowQueryLog } from './slow-query-log.ts'

describe('the log of slow queries', () => {
  it('has a line a minute for each fingerprint, without values, and none for quick ones', () => {
    let clock = 0
    const now = () => clock
    const lines: string[] = []
    const stats = new QueryStats({ now, slowMs: 500 })
    const log = slowQueryLog({ now, slowMs: 500, tell: (line) => lines.push(line) })
    const read = (field: string, milliseconds: number): void => {
      const report: ReadReport = { plan: { kind: 'scan', examined: 9 }, returned: 1, milliseconds }
      const filter = readFilter(JSON.stringify({ [field]: 'Ada' }), DEFAULT_LIMITS)
      const observed = { app: 'a', collection: 'c', filter, sort: [], limit: 10, startedAt: clock, report }
      log(stats.record(observed), report)
    }
    read('x', 499)
    assert.deepEqual(lines, [])
    read('x', 500)
    read('x', 600)
    read('y', 700)
    clock += 60_000
    read('x', 800)
    assert.deepEqual(lines, [
      'slow query of c: x eq; 500 ms by scan, 9 looked at, 1 found; 1 of 2 were slow',
      'slow query of c: y eq; 700 ms by scan, 9 looked at, 1 found; 1 of 1 were slow',
      'slow query of c: x eq; 800 ms by scan, 9 looked at, 1 found; 3 of 4 were slow',
    ])
  })
})
