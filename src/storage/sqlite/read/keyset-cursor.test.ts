import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { orderKey } from '../../../json/order-key.ts'
import type { SortField } from '../../../query/ast.ts'
import { indexTable } from '../files/schema.ts'
import { afterEntry } from './keyset-cursor.ts'

const TIED = 1000

it('is found in an ascending index by as little as the page has, whatever has the same keys', () => {
  const db = new DatabaseSync(':memory:')
  const a: SortField = { path: ['a'], direction: 1 }
  const b: SortField = { path: ['b'], direction: 1 }
  db.exec(indexTable('i1', [a, b]))
  const insert = db.prepare('INSERT INTO i1 VALUES (?, ?, ?, 0)')
  for (let rowId = 1; rowId <= TIED; rowId++) insert.run(orderKey('same'), orderKey('too'), rowId)
  let looked = 0
  db.function('seen', () => ++looked)
  const cases: [firstField: number, sort: SortField[], where: string][] = [
    [0, [a, b], ''],
    [1, [b], 'k0 = ? AND '],
  ]
  for (const [firstField, sort, where] of cases) {
    const keys = [orderKey('same'), orderKey('too')].slice(firstField)
    const behind = afterEntry({ firstField, sort }, { collection: 1, rowId: TIED - 100, keys })
    const order = firstField === 0 ? 'k0, k1, place' : 'k1, place'
    const sql = `SELECT place FROM i1 WHERE seen() AND ${behind.text}${where}1 ORDER BY ${order} LIMIT 3`
    const given = [...behind.parameters, ...(firstField === 0 ? [] : [orderKey('same')])]
    looked = 0
    const rowIds = db.prepare(sql).all(...given)
    assert.deepEqual(
      rowIds.map(({ place }) => place),
      [TIED - 99, TIED - 98, TIED - 97],
    )
    assert.ok(looked <= 4, `${looked} entries for a page of three`)
  }
  db.close()
})
