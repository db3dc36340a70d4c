import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { deadlineCheck, frequentDeadlineCheck } from './deadline-check.ts'

/** How often the time is asked for at some row ids. */
function timesAsked(clock: string, { rowIds, distance }: { rowIds: number; distance: number }): number {
  const db = new DatabaseSync(':memory:')
  let asked = 0
  db.function('sheaf_check_deadline', { directOnly: true }, (deadline) => {
    assert.equal(deadline, 7)
    return ++asked
  })
  const numbers = 'WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
  db.prepare(`${numbers} SELECT count(*) FROM (SELECT 1 + i * ${distance} AS seq FROM n) WHERE ${clock}`).get(
    { deadline: 7 },
    rowIds - 1,
  )
  db.close()
  return asked
}

it('asks at one row id in so many, also of row ids that an index finds at equal distances', () => {
  for (const distance of [1, 2, 3, 5, 8, 10, 16, 100, 1000, 1024]) {
    const seldom = timesAsked(deadlineCheck('seq'), { rowIds: 10 * 1024, distance })
    assert.ok(seldom >= 5 && seldom <= 20, `${seldom} times instead of 10 at every ${distance}th row id`)
    const often = timesAsked(frequentDeadlineCheck('seq'), { rowIds: 100 * 16, distance })
    assert.ok(often >= 50 && often <= 200, `${often} times instead of 100 at every ${distance}th row id`)
  }
})
