import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSeqlockCells, SeqlockTable } from '../protocol/seqlock-table.ts'
import { VersionedCache } from './versioned-cache.ts'

const versions = new SeqlockTable(createSeqlockCells())
const value = (text: string, size: number, slot = 1) => ({
  value: text,
  size,
  version: versions.beginRead([slot])!,
})
const keysOf = (kept: VersionedCache<string>) =>
  ['a', 'b', 'c', 'd'].filter((key) => kept.get(key) !== undefined)

describe('what is kept', () => {
  it('is never larger in all than its bounds, the oldest going first', () => {
    const kept = new VersionedCache<string>(versions, { size: 10, values: 3 })
    for (const key of ['a', 'b', 'c']) kept.keep(key, value(key, 3))
    assert.deepEqual(keysOf(kept), ['a', 'b', 'c'])
    kept.keep('d', value('d', 1))
    assert.deepEqual(keysOf(kept), ['b', 'c', 'd'])
    kept.keep('a', value('a', 5))
    assert.deepEqual(keysOf(kept), ['a', 'c', 'd'])
    kept.keep('b', value('b', 11))
    assert.deepEqual(keysOf(kept), [])
  })

  it('takes its room once, also when it is kept anew', () => {
    const kept = new VersionedCache<string>(versions, { size: 10, values: 3 })
    for (let i = 0; i < 10; i++) kept.keep('a', value('a', 5))
    kept.keep('b', value('b', 5))
    assert.deepEqual(keysOf(kept), ['a', 'b'])
  })

  it('gives its room back when it no longer holds', () => {
    const kept = new VersionedCache<string>(versions, { size: 10, values: 3 })
    kept.keep('a', value('a', 5, 1))
    kept.keep('b', value('b', 5, 2))
    versions.during(new Set([2]), () => {})
    assert.deepEqual(keysOf(kept), ['a'])
    kept.keep('c', value('c', 5))
    assert.deepEqual(keysOf(kept), ['a', 'c'])
  })

  it('is not kept at all where it changed while it was read', () => {
    const kept = new VersionedCache<string>(versions, { size: 10, values: 3 })
    const old = value('a', 5)
    versions.during(new Set([1]), () => kept.keep('a', old))
    kept.keep('a', old)
    assert.equal(kept.get('a'), undefined)
  })

  it('goes with the app that it is of', () => {
    const kept = new VersionedCache<string>(versions, { size: 10, values: 3 })
    for (const key of ['a', 'b']) kept.keep(key, value(key, 5))
    kept.forgetWhere((key) => key === 'a')
    kept.keep('c', value('c', 5))
    assert.deepEqual(keysOf(kept), ['b', 'c'])
  })
})
