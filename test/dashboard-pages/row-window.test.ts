import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { layoutPx, RowScroller } from '../../dashboard/src/data/rows/row-window.ts'
import { randomCases } from '../random-cases.ts'

const ROW_PX = 32
const VIEW_PX = 640

function scrollerOf(rows: number): RowScroller {
  const scroller = new RowScroller(ROW_PX)
  scroller.resize({ rows, viewPx: VIEW_PX })
  return scroller
}

describe('the rows of a long list that are on screen', () => {
  it('are none of none', () => {
    const scroller = scrollerOf(0)
    assert.equal(scroller.reveal(7), 0)
    assert.deepEqual(scroller.window(), { first: 0, last: -1, topPx: 0 })
  })

  it('are where they stand in a list that no browser clamps', () => {
    const scroller = scrollerOf(1000)
    assert.equal(layoutPx(1000, ROW_PX), 32_000)
    scroller.scrolled(3200)
    assert.deepEqual(scroller.window(), { first: 96, last: 123, topPx: 3072 })
    assert.equal(scroller.firstRow, 100)
    assert.equal(scroller.reveal(999), 32_000 - VIEW_PX)
  })

  for (const rows of [1_000_000, 1_000_000_000]) {
    it(`are the last at the end of ${rows.toLocaleString('en')}`, () => {
      const scroller = scrollerOf(rows)
      assert.equal(layoutPx(rows, ROW_PX), 8_000_000)
      scroller.scrolled(8_000_000 - VIEW_PX)
      assert.equal(scroller.window().last, rows - 1)
    })

    it(`move by three rows with a wheel, anywhere in ${rows.toLocaleString('en')}`, () => {
      for (const row of [0, 1000, rows / 2, rows - 1000]) {
        const scroller = scrollerOf(rows)
        const top = scroller.reveal(row)
        assert.equal(scroller.firstRow, row)
        scroller.scrolled(top + 96)
        assert.equal(scroller.firstRow, row + 3)
      }
    })
  }

  it('stay where they are when more rows are known, and when the scrollbar rests', () => {
    const scroller = scrollerOf(500_100)
    scroller.reveal(500_000)
    scroller.resize({ rows: 1_000_000, viewPx: VIEW_PX })
    assert.equal(scroller.firstRow, 500_000)
    scroller.settle()
    assert.equal(scroller.firstRow, 500_000)
  })

  it('are moved no further than a row has to be to be seen', () => {
    const scroller = scrollerOf(1000)
    assert.equal(scroller.show(19), undefined)
    assert.equal(scroller.show(20), 32)
    assert.equal(scroller.show(1), undefined)
    assert.equal(scroller.show(0), 0)
  })

  it('fill the screen whatever was done, and can always be scrolled on', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('near' as const), by: fc.integer({ min: -1200, max: 1200 }) }),
      fc.record({ do: fc.constant('far' as const), by: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({
        do: fc.constantFrom('reveal', 'show', 'settle'),
        by: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    )
    const rowCounts = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1_000_000_000 }))
    const check = (rows: number, steps: readonly { do: string; by: number }[]) => {
      const scroller = scrollerOf(rows)
      const farthest = Math.max(0, layoutPx(rows, ROW_PX) - VIEW_PX)
      let top = 0
      const scroll = (to: number) => {
        top = Math.max(0, Math.min(farthest, to))
        scroller.scrolled(top)
      }
      for (const { do: what, by } of steps) {
        const row = Math.floor(by * (rows - 1))
        if (what === 'near') scroll(top + by)
        else if (what === 'far') scroll(Math.round(by * farthest))
        else if (what === 'settle') top = scroller.settle()
        else top = (what === 'show' ? scroller.show(row) : scroller.reveal(row)) ?? top
        const { first, last, topPx } = scroller.window()
        const bottomPx = topPx + (last - first + 1) * ROW_PX
        assert.ok(top >= 0 && top <= farthest)
        assert.ok(first >= 0 && last < rows && last - first < 30)
        assert.ok(topPx <= top + 0.5 && (bottomPx >= top + VIEW_PX - 0.5 || rows * ROW_PX <= VIEW_PX))
        // Nothing is above the scrollbar's begin but the first row, nor below its end but the last.
        assert.equal(top === 0, scroller.firstRow === 0 && first === 0 && Math.abs(topPx) <= 0.5)
        assert.ok(top < farthest || last === rows - 1)
        if (what === 'reveal' || what === 'show') {
          assert.ok(row >= first && row <= last)
        }
      }
    }
    fc.assert(fc.property(rowCounts, fc.array(step, { maxLength: 12 }), check), randomCases())
  })
})
