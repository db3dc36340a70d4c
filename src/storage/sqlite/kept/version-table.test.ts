import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  anyDocumentSlot,
  collectionSlot,
  createVersionCells,
  documentSlot,
  VersionTable,
} from './version-table.ts'

const AT = { app: 'app', collection: 'c' }
const ONE = documentSlot(AT, 'x')
const OTHER = documentSlot(AT, 'y')

describe('a stamp', () => {
  it('is not given, and does not hold, while what it depends on is being written', () => {
    const table = new VersionTable(createVersionCells())
    const stamp = table.stamp([ONE])!
    assert.ok(table.holds(stamp))
    let isRun = false
    table.during(new Set([ONE]), () => {
      isRun = true
      assert.equal(table.stamp([ONE]), undefined)
      assert.ok(!table.holds(stamp))
      assert.ok(table.holds(table.stamp([OTHER])!))
    })
    assert.ok(isRun)
    assert.ok(!table.holds(stamp))
    assert.ok(table.holds(table.stamp([ONE])!))
  })

  it('does not hold after a write that failed either, for nobody knows what a failing disk did', () => {
    const table = new VersionTable(createVersionCells())
    const stamp = table.stamp([ONE])!
    const fail = (): never => {
      throw new Error('the disk is full')
    }
    assert.throws(() => table.during(new Set([ONE]), fail), /the disk is full/)
    assert.ok(!table.holds(stamp))
    assert.ok(table.holds(table.stamp([ONE])!))
  })

  it('depends on every one of its slots', () => {
    const table = new VersionTable(createVersionCells())
    for (const slot of [ONE, OTHER]) {
      const stamp = table.stamp([ONE, OTHER])!
      table.during(new Set([slot]), () => {})
      assert.ok(!table.holds(stamp))
    }
  })

  it('is seen alike by all tables on the same memory', () => {
    const cells = createVersionCells()
    const stamp = new VersionTable(cells).stamp([ONE])!
    new VersionTable(cells).during(new Set([ONE]), () => {})
    assert.ok(!new VersionTable(cells).holds(stamp))
  })

  it('holds from one end of the versions to the other', () => {
    const cells = createVersionCells()
    const table = new VersionTable(cells)
    cells[ONE] = 0x7fff_fffe
    const stamp = table.stamp([ONE])!
    table.during(new Set([ONE]), () => assert.equal(table.stamp([ONE]), undefined))
    assert.equal(cells[ONE], -0x8000_0000)
    assert.ok(!table.holds(stamp))
    assert.ok(table.holds(table.stamp([ONE])!))
  })
})

describe('a writer that ended between the two bumps', () => {
  it('leaves nothing that holds, until its successor has settled', () => {
    const cells = createVersionCells()
    const table = new VersionTable(cells)
    const before = table.stamp([OTHER])!
    Atomics.add(cells, ONE, 1)
    const distrusted = table.distrust()
    assert.ok(!table.holds(before))
    assert.equal(table.stamp([OTHER]), undefined)
    table.settle(distrusted)
    assert.ok(!table.holds(before))
    for (const slot of [ONE, OTHER]) assert.ok(table.holds(table.stamp([slot])!))
  })

  it('keeps a successor that writes the same from seeming to be done', () => {
    const cells = createVersionCells()
    const table = new VersionTable(cells)
    Atomics.add(cells, ONE, 1)
    table.during(new Set([ONE]), () => assert.equal(table.stamp([ONE]), undefined))
    assert.ok(table.holds(table.stamp([ONE])!))
  })

  it('is waited for, where the one before it has settled meanwhile', () => {
    const table = new VersionTable(createVersionCells())
    const first = table.distrust()
    const second = table.distrust()
    table.settle(first)
    assert.equal(table.stamp([ONE]), undefined)
    table.settle(second)
    assert.ok(table.stamp([ONE]) !== undefined)
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
