import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cellByKey, HEADS } from '../../dashboard/src/data/rows/row-keys.ts'

const SIZE = { rows: 1000, columns: 8, viewRows: 20, hasHeads: true }
const FROM = { row: 100, column: 3 }

describe('a key in a grid', () => {
  for (const [key, isCommand, row, column] of [
    ['ArrowUp', false, 99, 3],
    ['ArrowDown', false, 101, 3],
    ['ArrowLeft', false, 100, 2],
    ['ArrowRight', false, 100, 4],
    ['PageUp', false, 80, 3],
    ['PageDown', false, 120, 3],
    ['Home', false, 100, 0],
    ['End', false, 100, 7],
    ['Home', true, 0, 3],
    ['End', true, 999, 3],
  ] as const)
    it(`leads from cell to cell: ${isCommand ? 'Ctrl ' : ''}${key}`, () =>
      assert.deepEqual(cellByKey(FROM, { key, isCommand }, SIZE), { row, column }))

  it('leads no further than the last cells, and up to the heads of columns where there are some', () => {
    const up = { key: 'ArrowUp', isCommand: false }
    assert.deepEqual(cellByKey({ row: 0, column: 0 }, up, SIZE), { row: HEADS, column: 0 })
    assert.deepEqual(cellByKey({ row: HEADS, column: 0 }, up, SIZE), { row: HEADS, column: 0 })
    assert.deepEqual(cellByKey({ row: 0, column: 0 }, up, { ...SIZE, hasHeads: false }), {
      row: 0,
      column: 0,
    })
    assert.deepEqual(cellByKey({ row: 999, column: 7 }, { key: 'PageDown', isCommand: false }, SIZE), {
      row: 999,
      column: 7,
    })
  })

  it('leads nowhere where it is another one', () => {
    for (const [key, isCommand] of [
      ['x', false],
      ['Tab', false],
      ['ArrowLeft', true],
    ] as const)
      assert.equal(cellByKey(FROM, { key, isCommand }, SIZE), undefined)
  })
})
