import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyRegisters } from './distinct-addresses.ts'
import {
  boundCells,
  mergeCells,
  mergeDelta,
  mergeErrors,
  mergeServerTotals,
  mergeVisits,
} from './merge-deltas.ts'
import { emptyCell, emptyTotals, OTHERS, type TrafficCell } from './traffic.ts'
import {
  type CountedTexts,
  type ErrorCount,
  emptyDelta,
  type TrafficDelta,
  type Visits,
} from './traffic-delta.ts'

function cell(key: string, requests: number): TrafficCell {
  return {
    ...emptyCell({ key, collection: 'c', operation: 'find', status: 200 }),
    requests,
    latency: [9, requests],
  }
}

function error(code: string, at: number): ErrorCount {
  const example = { at, method: 'GET', path: '/', key: '', requestId: '' }
  return { code, status: 400, count: 1, examples: [example] }
}

function delta(app: string): TrafficDelta {
  return {
    minutes: [{ app, at: 60, totals: { ...emptyTotals(), requests: 2, latency: [9, 2] } }],
    hours: [{ app, at: 0, cells: [cell('k', 2)] }],
    addresses: [{ app, day: 0, registers: emptyRegisters().fill(1, 0, 1) }],
    visits: [{ app, day: 0, paths: [['/', 1]], referrers: [['', 1]] }],
    errors: [{ app, day: 0, ...error('invalid_query', 1) }],
    server: {
      requests: [{ area: 'api', method: 'GET', status: 200, count: 2 }],
      areas: [{ area: 'api', latency: [9, 2], ms: 1.5, bytesIn: 1, bytesOut: 3 }],
      ...{ read: 2, written: 1 },
      apps: [{ app, requests: 2, errors: 0, failed: 0 }],
    },
  }
}

function sumOf(texts: CountedTexts): number {
  return texts.reduce((sum, [, count]) => sum + count, 0)
}

describe('merged deltas', () => {
  it('count all requests of more cells than there is room for, the rest as others', () => {
    const many = Array.from({ length: 50 }, (_, i) => cell(`k${i}`, i + 1))
    const cells: TrafficCell[] = []
    mergeCells(cells, many, 10)
    assert.equal(cells.length, 11)
    assert.equal(cells.at(-1)!.key, OTHERS)
    assert.equal(
      cells.reduce((sum, { requests }) => sum + requests, 0),
      1275,
    )
    // The greatest ten are 41 to 50.
    const kept = boundCells(many, 10)
    assert.deepEqual(
      kept.map(({ requests }) => requests),
      [50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 820],
    )
    assert.deepEqual(boundCells(many, 50), many)
  })

  it('keep the texts counted most of 100,000, and the sum', () => {
    const visits: Visits = { paths: [['/often', 5]], referrers: [] }
    const many: CountedTexts = Array.from({ length: 100_000 }, (_, i) => [`/${i}`, 1])
    mergeVisits(visits, { paths: many, referrers: [] })
    mergeVisits(visits, { paths: [[OTHERS, 7]], referrers: [] })
    assert.equal(visits.paths.length, 1001)
    assert.deepEqual(visits.paths[0], ['/often', 5])
    assert.equal(visits.paths.at(-1)![0], OTHERS)
    assert.equal(sumOf(visits.paths), 100_012)
  })

  it('keep the newest examples of an error, and codes up to a bound', () => {
    const errors: ErrorCount[] = []
    for (const at of [5, 1, 4, 2, 3]) mergeErrors(errors, [error('a', at)])
    assert.deepEqual(
      errors[0]!.examples.map(({ at }) => at),
      [3, 4, 5],
    )
    mergeErrors(
      errors,
      Array.from({ length: 100 }, (_, i) => error(`code_${i}`, 1)),
    )
    assert.equal(errors.length, 61)
    assert.deepEqual(errors.at(-1), { code: OTHERS, status: 0, count: 41, examples: [] })
  })

  it('hold no more than their bounds', () => {
    const into = emptyDelta()
    const bounds = { cells: 2, allCells: 3, minutes: 2, days: 2, allTexts: 9 }
    for (const app of ['a', 'b', 'c', 'd']) mergeDelta(into, delta(app), bounds)
    assert.equal(into.minutes.length, 2)
    assert.equal(into.addresses.length, 2)
    assert.equal(into.visits.length, 2)
    assert.equal(into.errors.length, 2)
    assert.deepEqual(
      into.hours.map(({ cells }) => cells[0]!.key),
      ['k', 'k', 'k', OTHERS],
    )
  })

  it('hold no more paths and referrers of all sites than their bound, and count the rest as others', () => {
    const into = emptyDelta()
    const bounds = { cells: 2, allCells: 2, minutes: 2, days: 20, allTexts: 50 }
    const paths: CountedTexts = Array.from({ length: 30 }, (_, i) => [`/${i}`, 1])
    for (let n = 0; n < 100; n++)
      mergeDelta(
        into,
        { ...emptyDelta(), visits: [{ app: `a${n % 10}`, day: 0, paths, referrers: [['', 1]] }] },
        bounds,
      )
    const texts = into.visits.flatMap((visits) => [...visits.paths, ...visits.referrers])
    // Beside the others of each list: 30 paths and a referrer of the first site, 19 paths of the second.
    assert.equal(texts.filter(([text]) => text !== OTHERS).length, 50)
    assert.equal(sumOf(texts), 3100)
  })

  it('add up, and leave what was added as it was', () => {
    const into = emptyDelta()
    const added = delta('a')
    mergeDelta(into, added)
    mergeDelta(into, delta('a'))
    assert.deepEqual(added, delta('a'))
    assert.equal(into.minutes[0]!.totals.requests, 4)
    assert.deepEqual(into.hours[0]!.cells, [cell('k', 4)])
    assert.deepEqual(into.visits[0]!.paths, [['/', 2]])
    assert.equal(into.errors[0]!.count, 2)
    const server = structuredClone(delta('a').server)
    mergeServerTotals(server, delta('a').server)
    assert.deepEqual(server, into.server)
    assert.deepEqual(into.server, {
      requests: [{ area: 'api', method: 'GET', status: 200, count: 4 }],
      areas: [{ area: 'api', latency: [9, 4], ms: 3, bytesIn: 2, bytesOut: 6 }],
      ...{ read: 4, written: 2 },
      apps: [{ app: 'a', requests: 4, errors: 0, failed: 0 }],
    })
  })
})
