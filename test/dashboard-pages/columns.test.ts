import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  AS_FOUND,
  ColumnFinder,
  columnsBetween,
  formatArrangement,
  hideColumns,
  moveColumn,
  parseArrangement,
  placeColumns,
  showColumn,
  shownColumns,
  widenColumn,
} from '../../dashboard/src/data/rows/columns.ts'
import { type PreviewRow, parseRows } from '../../dashboard/src/data/rows/preview-row.ts'

const CHAR_PX = 8

function rowsOf(...documents: readonly string[]): PreviewRow[] {
  const rows = documents.map((fields, i) => `{"id":${i},"bytes":9,"fields":${fields}}`)
  return parseRows(`[${rows.join(',')}]`)
}

function finderOf(rows: readonly PreviewRow[]): ColumnFinder {
  const finder = new ColumnFinder()
  for (const row of rows) finder.add(row)
  return finder
}

function namesOf(columns: readonly { readonly name: string }[]): readonly string[] {
  return columns.map(({ name }) => name)
}

describe('the columns of a table', () => {
  const rows = rowsOf('{"b":1,"a":"x"}', '{"__proto__":null,"b":"text","10":{"object":2},"":[]}')
  const { found } = finderOf(rows)

  it('are those of the rows in order of first sight, the id first', () => {
    assert.deepEqual(namesOf(found), ['_id', 'b', 'a', '__proto__', '10', ''])
  })

  it('know all that they were seen to hold', () => {
    assert.deepEqual(
      found.map(({ kinds }) => kinds),
      [['number'], ['number', 'text'], ['text'], ['null'], ['object'], ['array']],
    )
  })

  it('say of a row that nothing is new in it', () => {
    const finder = finderOf(rows)
    assert.equal(finder.add(rows[0]!), false)
    assert.equal(finder.add(rowsOf('{"b":2}')[0]!), false)
    assert.equal(finder.add(rowsOf('{"b":20}')[0]!), true)
  })

  it('are no more than 500; what is beyond counts as left out', () => {
    const names = Array.from({ length: 600 }, (_, i) => `"f${i}":1`)
    const [row] = rowsOf(`{${names.join(',')}}`)
    const finder = finderOf([row!])
    assert.equal(finder.found.length, 500)
    assert.equal(finder.hasLeft, true)
    assert.equal(finder.leftOf(row!), 101)
  })

  it('are as wide as their longest number up to 40 characters, and as their texts up to 32', () => {
    const long = '9'.repeat(60)
    const { found: wide } = finderOf(
      rowsOf(
        `{"n":750727362669608961,"long":${long},"text":"${'a'.repeat(90)}","cut":{"text":"a","length":101}}`,
      ),
    )
    const widths = placeColumns(wide, AS_FOUND, CHAR_PX).map(({ width }) => width)
    assert.deepEqual(widths, [78, 18 * 8 + 26, 40 * 8 + 26, 32 * 8 + 26, 78])
  })

  it('are moved past their neighbours that are shown, never before the id', () => {
    const hidden = hideColumns(AS_FOUND, ['a'])
    const moved = moveColumn(hidden, found, { name: 'b', by: 1 })
    assert.deepEqual(namesOf(shownColumns(found, moved)), ['_id', '__proto__', 'b', '10', ''])
    const first = moveColumn(moved, found, { name: '', by: -9 })
    assert.deepEqual(namesOf(shownColumns(found, first)), ['_id', '', '__proto__', 'b', '10'])
    assert.equal(moveColumn(first, found, { name: '', by: -1 }), first)
    assert.equal(moveColumn(first, found, { name: '_id', by: 1 }), first)
    assert.deepEqual(
      namesOf(shownColumns(found, showColumn(first, 'a'))).toSorted(),
      namesOf(found).toSorted(),
    )
  })

  it('get wider and narrower by steps, but never cut a number', () => {
    const { found: numbers } = finderOf(rowsOf('{"n":750727362669608961}'))
    const [, before] = placeColumns(numbers, AS_FOUND, CHAR_PX)
    const wider = widenColumn(AS_FOUND, before!, 1)
    assert.equal(placeColumns(numbers, wider, CHAR_PX)[1]!.width, before!.width + 64)
    const narrower = widenColumn(AS_FOUND, before!, -1)
    assert.equal(placeColumns(numbers, narrower, CHAR_PX)[1]!.width, before!.width)
  })

  it('are arranged again as they were kept, and as they were found where that can’t be read', () => {
    const arrangement = { order: ['b', '__proto__'], hidden: ['a'], widths: new Map([['__proto__', 200]]) }
    assert.deepEqual(parseArrangement(formatArrangement(arrangement)), arrangement)
    for (const text of [null, '', '7', '[]', '{"order":7,"widths":[]}', '{"widths":7}', '{"order":[1]}'])
      assert.deepEqual(parseArrangement(text), AS_FOUND)
  })

  it('are drawn as far as they lie between two places', () => {
    const placed = placeColumns(found, AS_FOUND, CHAR_PX)
    assert.deepEqual(columnsBetween(placed, 0, 1), { first: 0, last: 0 })
    assert.deepEqual(columnsBetween(placed, placed[2]!.left, placed[4]!.left), { first: 2, last: 3 })
    assert.deepEqual(columnsBetween(placed, 99_999, 99_999), { first: 6, last: 5 })
  })
})
