import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addCellToTotals, emptyCell, emptyTotals } from './traffic.ts'

describe('totals of cells', () => {
  it('have errors from 400 on and failures from 500 on', () => {
    const totals = emptyTotals()
    for (const status of [200, 304, 399, 400, 404, 499, 500, 503]) {
      const cell = emptyCell({ key: '', collection: '', operation: 'find', status })
      addCellToTotals(totals, { ...cell, requests: 2, bytesOut: 3, latency: [status % 10, 2] })
    }
    assert.deepEqual(totals, {
      ...{ requests: 16, errors: 10, failed: 4, bytesIn: 0, bytesOut: 24, read: 0, written: 0 },
      latency: [0, 6, 3, 2, 4, 4, 9, 4],
    })
  })
})
