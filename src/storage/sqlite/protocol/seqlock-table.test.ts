import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  anyDocumentSlot,
  collectionSlot,
  createSeqlockCells,
  documentSlot,
  SeqlockTable,
} from './seqlock-table.ts'

const AT = { app: 'app', collection: 'c' }
const ONE = documentSlot(AT, 'x')
const OTHER = documentSlot(AT, 'y')

describe('a stamp', () => {
  it('is not given, and does not hold, while what it depends on is being written', () => {
    const table = new SeqlockTable(createSeqlockCells())
    const version = table.beginRead([ONE])!
    assert.ok(table.isCurrent(version))
    let isRun = false
    table.during(new Set([ONE]), () => {
      isRun = true
      assert.equal(table.beginRead([ONE]), undefined)
      assert.ok(!table.isCurrent(version))
      assert.ok(table.isCurrent(table.beginRead([OTHER])!))
    })
    assert.ok(isRun)
    assert.ok(!table.isCurrent(version))
    assert.ok(table.isCurrent(table.beginRead([ONE])!))
  })

  it('does not hold after a write that failed either, for nobody knows what a failing disk did', () => {
    const table = new SeqlockTable(createSeqlockCells())
    const version = table.beginRead([ONE])!
    const fail = (): never => {
      throw new Error('the disk is full')
    }
    assert.throws(() => table.during(new Set([ONE]), fail), /the disk is full/)
    assert.ok(!table.isCurrent(version))
    assert.ok(table.isCurrent(table.beginRead([ONE])!))
  })

  it('depends on every one of its slots', () => {
    const table = new SeqlockTable(createSeqlockCells())
    for (const slot of [ONE, OTHER]) {
      const version = table.beginRead([ONE, OTHER])!
      table.during(new Set([slot]), () => {})
      assert.ok(!table.isCurrent(version))
    }
  })

  it('is seen alike by all tables on the same memory', () => {
    const cells = createSeqlockCells()
    const version = new SeqlockTable(cells).beginRead([ONE])!
    new SeqlockTable(cells).during(new Set([ONE]), () => {})
    assert.ok(!new SeqlockTable(cells).isCurrent(version))
  })

  it('holds from one end of the versions to the other', () => {
    const cells = createSeqlockCells()
    const table = new SeqlockTable(cells)
    cells[ONE] = 0x7fff_fffe
    const version = table.beginRead([ONE])!
    table.during(new Set([ONE]), () => assert.equal(table.beginRead([ONE]), undefined))
    assert.equal(cells[ONE], -0x8000_0000)
    assert.ok(!table.isCurrent(version))
    assert.ok(table.isCurrent(table.beginRead([ONE])!))
  })
})

describe('a writer that ended between the two bumps', () => {
  it('leaves nothing that holds, until its successor has settled', () => {
    const cells = createSeqlockCells()
    const table = new SeqlockTable(cells)
    const before = table.beginRead([OTHER])!
    Atomics.add(cells, ONE, 1)
    const invalidated = table.invalidateAll()
    assert.ok(!table.isCurrent(before))
    assert.equal(table.beginRead([OTHER]), undefined)
    table.revalidate(invalidated)
    assert.ok(!table.isCurrent(before))
    for (const slot of [ONE, OTHER]) assert.ok(table.isCurrent(table.beginRead([slot])!))
  })

  it('keeps a successor that writes the same from seeming to be done', () => {
    const cells = createSeqlockCells()
    const table = new SeqlockTable(cells)
    Atomics.add(cells, ONE, 1)
    table.during(new Set([ONE]), () => assert.equal(table.beginRead([ONE]), undefined))
    assert.ok(table.isCurrent(table.beginRead([ONE])!))
  })

  it('is waited for, where the one before it has settled meanwhile', () => {
    const table = new SeqlockTable(createSeqlockCells())
    const first = table.invalidateAll()
    const second = table.invalidateAll()
    table.revalidate(first)
    assert.equal(table.beginRead([ONE]), undefined)
    table.revalidate(second)
    assert.ok(table.beginRead([ONE]) !== undefined)
  })
})

describe('the slots', () => {
  it('are others for other apps, collections, ids and kinds of writes', () => {
    const slots = [
      collectionSlot(AT),
      anyDocumentSlot(AT),
      ONE,
      OTHER,
      documentSlot({ ...AT, app: 'bpp' }, 'x'),
      documentSlot({ ...AT, collection: 'd' }, 'x'),
    ]
    assert.equal(new Set(slots).size, slots.length)
  })

  it('are spread well, and are none of them that of everything', () => {
    const slots = Array.from({ length: 10_000 }, (_, i) => documentSlot(AT, `01JGJ6F4XWZ3V8Q2M5T7${i}`))
    // Thrown at random, 10,000 into 65,536 fill about 9,270.
    assert.ok(new Set(slots).size > 9_000, `${new Set(slots).size} different slots`)
    assert.ok(slots.every((slot) => slot > 0 && slot < 65_536))
  })
})
