import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { ReadLedger } from './read-ledger.ts'
import { readFilter } from './read-query.ts'

const SECRET = 'Ada-1815'

function scan(
  ledger: ReadLedger,
  field: string,
  { app = 'a', examined = 10, milliseconds = 1, limit = 10 } = {},
) {
  const filter = readFilter(JSON.stringify({ [field]: SECRET }), DEFAULT_LIMITS)
  const report = { plan: { kind: 'scan' as const, examined }, returned: 1, milliseconds }
  return ledger.note({ app, collection: 'c', filter, sort: [], limit, startedAt: 5, report })
}

function newLedger() {
  return new ReadLedger({ now: () => 5, slowMs: 500 })
}

describe('the ledger of reads', () => {
  it('holds no value of a query', () => {
    const ledger = newLedger()
    scan(ledger, 'name')
    assert.ok(!JSON.stringify(ledger.snapshot()).includes(SECRET))
  })

  it('is bounded, and forgets what cost least', () => {
    const ledger = newLedger()
    for (let number = 0; number < 1001; number++) scan(ledger, `f${number}`, { examined: 10 + number })
    const { shapes } = ledger.snapshot()
    assert.equal(shapes.length, 901)
    assert.equal(shapes[0]?.shape, 'f100 eq')
  })

  it('adds up what a shape costs, slow reads and full answers apart', () => {
    const ledger = newLedger()
    scan(ledger, 'x', { examined: 100, milliseconds: 499 })
    const cost = scan(ledger, 'x', { examined: 50, milliseconds: 500, limit: 1 })
    const { candidates: _, ...numbers } = cost
    assert.deepEqual(numbers, {
      app: 'a',
      collection: 'c',
      shape: 'x eq',
      count: 2,
      examined: 150,
      returned: 2,
      milliseconds: 999,
      maxMilliseconds: 500,
      slowCount: 1,
      fullCount: 1,
      lastSeenAt: 5,
      documents: 100,
      // Of each read, four are taken off for the document that it found.
      waste: 142,
      countedFrom: 0,
      writesSeen: 0,
      notBefore: 0,
      tried: [],
    })
  })

  it('holds nothing against an index that a read could not have used, for it began before', () => {
    const ledger = newLedger()
    const cost = scan(ledger, 'x', { examined: 100 })
    cost.countedFrom = 6
    assert.equal(scan(ledger, 'x', { examined: 100 }).waste, 96)
    cost.countedFrom = 5
    assert.equal(scan(ledger, 'x', { examined: 100 }).waste, 192)
  })

  it('counts writes only where something is read', () => {
    const ledger = newLedger()
    ledger.noteWrites({ app: 'a', collection: 'c' }, 1000)
    scan(ledger, 'x', { examined: 504 })
    ledger.noteWrites({ app: 'a', collection: 'c' }, 10)
    ledger.noteWrites({ app: 'a', collection: 'other' }, 1000)
    assert.equal(scan(ledger, 'x', { examined: 4 }).waste, 500 - 10 * 42)
  })

  it('forgets apps that are no more', () => {
    const ledger = newLedger()
    scan(ledger, 'x', { app: 'a' })
    scan(ledger, 'x', { app: 'b' })
    ledger.keepOnly(new Set(['b']))
    assert.deepEqual(
      ledger.snapshot().shapes.map(({ app }) => app),
      ['b'],
    )
  })

  it('goes on from what was saved, with writes counted anew', () => {
    const before = newLedger()
    before.noteWrites({ app: 'a', collection: 'c' }, 1000)
    scan(before, 'x', { examined: 100_000 })
    before.adopt({ app: 'a', collection: 'c', name: 'x' }, 2000)
    const saved = JSON.parse(JSON.stringify(before.snapshot()))
    const ledger = newLedger()
    ledger.restore(saved)
    assert.equal(scan(ledger, 'x', { examined: 14 }).waste, 99_996 + 10)
    assert.equal(ledger.automaticUses()[0]?.automatic?.balance, 18 * 2000)
  })
})
