import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { inTime, inTimeOften } from './in-time.ts'

/** How often the time is asked for at some places. */
function timesAsked(clock: string, { places, distance }: { places: number; distance: number }): number {
  const db = new DatabaseSync(':memory:')
  let asked = 0
  db.function('sheaf_in_time', { directOnly: true }, () => ++asked)
  const numbers = 'WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ?)'
  db.prepare(`${numbers} SELECT count(*) FROM (SELECT 1 + i * ${distance} AS seq FROM n) WHERE ${clock}`).get(
    places - 1,
  )
  db.close()
  return asked
}

it('asks at one place in so many, also of places that an index finds at equal distances', () => {
  for (const distance of [1, 2, 3, 5, 8, 10, 16, 100, 1000, 1024]) {
    const seldom = timesAsked(inTime('seq'), { places: 10 * 1024, distance })
    assert.ok(seldom >= 5 && seldom <= 20, `${seldom} times instead of 10 at every ${distance}th place`)
    const often = timesAsked(inTimeOften('seq'), { places: 100 * 16, distance })
    assert.ok(often >= 50 && often <= 200, `${often} times instead of 100 at every ${distance}th place`)
  }
})
