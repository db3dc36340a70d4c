import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../test/random-cases.ts'
import { CellSums } from './cell-sums.ts'
import { addDuration } from './histogram.ts'
import { mergeCells } from './merge-deltas.ts'
import { pack } from './pack.ts'
import { emptyCell, OPERATIONS, OTHERS, type TrafficCell } from './traffic.ts'

const cell = fc
  .record({
    ...{ key: fc.constantFrom('', OTHERS, 'a', 'b'), collection: fc.constantFrom('', OTHERS, '*', 'é') },
    ...{ operation: fc.constantFrom(...OPERATIONS), status: fc.constantFrom(200, 404, 499, 599) },
    ...{
      requests: fc.nat(),
      bytesIn: fc.nat(2 ** 45),
      bytesOut: fc.nat(),
      read: fc.nat(),
      written: fc.nat(),
    },
    durations: fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 20 }),
  })
  .map(({ durations, ...name }): TrafficCell => {
    const made = { ...emptyCell(name), ...name }
    for (const ms of durations) addDuration(made.latency, ms)
    return made
  })
const rows = fc.array(fc.array(cell, { maxLength: 30 }), { maxLength: 5 })

/** Each cell once. */
function distinct(cells: readonly TrafficCell[]): TrafficCell[] {
  const into: TrafficCell[] = []
  mergeCells(into, cells, Number.POSITIVE_INFINITY)
  return into
}

function sorted(cells: readonly TrafficCell[]): TrafficCell[] {
  const nameOf = ({ key, collection, operation, status }: TrafficCell): string =>
    JSON.stringify([key, collection, operation, status])
  return cells.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function sumsOf(bodies: readonly Uint8Array[], filter = {}): TrafficCell[] {
  const sums = new CellSums(filter)
  for (const body of bodies) sums.add(body)
  return sorted(sums.cells())
}

describe('the sums of packed cells', () => {
  it('are those of the cells, one by one, where no text stands for others', () => {
    fc.assert(
      fc.property(rows, fc.option(fc.constantFrom('a', '')), (all, key) => {
        const apart = all.map((each) =>
          distinct(each).filter((one) => one.key !== OTHERS && one.collection !== OTHERS),
        )
        const wanted = apart.map((each) => each.filter((one) => key === null || one.key === key))
        const expected = sorted(distinct(wanted.flat()))
        const bodies = apart.map((each) => pack('cells', each))
        assert.deepEqual(sumsOf(bodies, key === null ? {} : { key }), expected)
      }),
      randomCases(0.05),
    )
  })

  it('have none of what can not be read', () => {
    const good = { ...emptyCell({ key: 'k', collection: 'c', operation: 'find', status: 200 }), requests: 1 }
    const body = pack('cells', [good])
    const wrong = [new Uint8Array(), body.subarray(0, -1), pack('totals', { ...good, errors: 0, failed: 0 })]
    wrong.push(Buffer.concat([body, Buffer.from([0])]), Buffer.concat([body, Buffer.from([0x80])]))
    // A status above all others, and a bucket that there isn't.
    wrong.push(pack('cells', [{ ...good, status: 5000 }]), pack('cells', [{ ...good, latency: [500, 1] }]))
    assert.deepEqual(sumsOf([...wrong, body]), [good])
  })

  it('have what stands for others as one cell for each operation and status, also of what is too much', () => {
    const name = { operation: 'find', status: 200, requests: 1 } as const
    const others = [
      { ...emptyCell({ ...name, key: OTHERS, collection: 'c' }), requests: 1 },
      { ...emptyCell({ ...name, key: 'k', collection: OTHERS }), requests: 2 },
    ]
    const bodies = [0, 1, 2].map((row) =>
      pack(
        'cells',
        Array.from({ length: 4000 }, (_, n) => ({
          ...emptyCell({ ...name, key: `k${row}-${n}`, collection: 'c' }),
          requests: 1,
        })),
      ),
    )
    const found = sumsOf([pack('cells', others), ...bodies])
    assert.equal(found.length, 8000)
    assert.deepEqual(
      found
        .filter(({ key, collection }) => key === OTHERS && collection === OTHERS)
        .map(({ requests }) => requests),
      [3 + 12_000 - 7999],
    )
  })
})
