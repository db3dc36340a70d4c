import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyRegisters } from './distinct-addresses.ts'
import { type Packable, type PackableKind, pack, unpack } from './pack.ts'
import { emptyTotals, type TrafficCell } from './traffic.ts'

const CELL: TrafficCell = {
  ...{ key: '01K', collection: 'cities', operation: 'find', status: 200 },
  ...{ requests: 3, bytesIn: 0, bytesOut: 2 ** 40, read: 150, written: 0 },
  latency: [0, 1, 17, 1, 171, 1],
}

/** Sorted as they are packed. */
const CELLS: readonly TrafficCell[] = [
  { ...CELL, key: '', collection: '', operation: 'token', status: 401, latency: [] },
  CELL,
  { ...CELL, status: 404 },
  { ...CELL, collection: 'größe 🌍', operation: 'save' },
]

const VALUES: { readonly [Kind in PackableKind]: Packable[Kind] } = {
  moment: 1_796_000_400,
  totals: {
    ...emptyTotals(),
    requests: Number.MAX_SAFE_INTEGER,
    failed: 127,
    errors: 128,
    latency: [3, 300],
  },
  cells: CELLS,
  addresses: emptyRegisters().fill(52, 100, 200),
  visits: {
    paths: [
      ['/', 12],
      ['/"><script>\0\r\n', 1],
    ],
    referrers: [['', 13]],
  },
  errors: [
    {
      ...{ code: 'invalid_query', status: 400, count: 4 },
      examples: [{ at: 1_795_000_000_123, method: 'GET', path: '/apps/a', key: 'k', requestId: 'r' }],
    },
    { code: '$/', status: 0, count: 1, examples: [] },
  ],
  storage: [{ name: 'cities', documents: 5, bytes: 4096, indexBytes: 0 }],
}

const KINDS = Object.keys(VALUES) as PackableKind[]

describe('packed traffic', () => {
  it('is nothing where it was cut, damaged, of another kind or of another version', () => {
    for (const kind of KINDS) {
      const bytes = pack(kind, VALUES[kind])
      for (let length = 0; length < Math.min(bytes.length, 60); length++)
        assert.equal(unpack(kind, bytes.subarray(0, length)), undefined, `${kind} cut at ${length}`)
      // Behind what was deflated, bytes that are none of it are passed over.
      if (bytes[2] === 0) assert.equal(unpack(kind, Buffer.concat([bytes, Buffer.from([0])])), undefined)
      assert.equal(unpack(kind, Buffer.from([2, ...bytes.subarray(1)])), undefined)
      for (const other of KINDS) if (other !== kind) assert.equal(unpack(other, bytes), undefined)
    }
  })

  it('makes room for no more than there are bytes, whatever count they claim', () => {
    const claim = Buffer.from([1, 2, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f])
    assert.equal(unpack('cells', claim), undefined)
  })

  it('is read as what was packed', () => {
    for (const kind of KINDS) assert.deepEqual(unpack(kind, pack(kind, VALUES[kind])), VALUES[kind])
  })

  it('deflates what is long, and has it back', () => {
    const cells = Array.from({ length: 2000 }, (_, i) => ({
      ...CELL,
      key: `key ${String(i).padStart(4, '0')}`,
    }))
    const bytes = pack('cells', cells)
    assert.ok(bytes.length < 20_000, `${bytes.length} bytes`)
    assert.deepEqual(unpack('cells', bytes), cells)
  })
})
