import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WalGrowth } from './wal-growth.ts'

const MIB = 1024 ** 2
const MINUTE_MS = 60_000

describe('a write-ahead log', () => {
  it('is told of at once above 1 GiB, and above 256 MiB after ten minutes, until it is half as long', () => {
    const growth = new WalGrowth()
    const firing = new Set<string>()
    const look = (minute: number, mebibytes: Readonly<Record<string, number>>): string[] => {
      const bytes = new Map(Object.entries(mebibytes).map(([name, length]) => [name, length * MIB]))
      const told = growth.look({ bytes, at: minute * MINUTE_MS, isFiring: (each) => firing.has(each) })
      firing.clear()
      for (const { subject } of told) firing.add(subject)
      return told.map(({ message }) => message)
    }
    const grows = (name: string, mebibytes: number) =>
      `the write-ahead log of ${name} has ${mebibytes} MiB, and does not begin anew`
    assert.deepEqual(look(0, { a: 256, b: 257, c: 1025 }), [grows('c', 1025)])
    assert.deepEqual(look(9, { a: 256, b: 300, c: 129 }), [grows('c', 129)])
    assert.deepEqual(look(10, { a: 400, b: 300, c: 128 }), [grows('b', 300)])
    // One that was short in between begins to be long anew, and one that is gone is told of no more.
    assert.deepEqual(look(11, { a: 200, b: 200 }), [grows('b', 200)])
    assert.deepEqual(look(21, { a: 400 }), [])
    assert.deepEqual(look(31, { a: 300, b: 2000 }), [grows('b', 2000), grows('a', 300)])
  })
})
