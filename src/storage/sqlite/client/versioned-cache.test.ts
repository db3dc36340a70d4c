import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSeqlockCells, SeqlockTable } from '../protocol/seqlock-table.ts'
import { bytesOfText, VersionedCache } from './versioned-cache.ts'

const versions = new SeqlockTable(createSeqlockCells())
/** What an entry takes beside its value. */
const BESIDE = 400
const value = (text: string, bytes: number, slot = 1) => ({
  value: text,
  bytes,
  version: versions.beginRead([slot])!,
})
/** Without asking for them, which would have them stay. */
function keysOf(cache: VersionedCache<string>): string[] {
  const keys: string[] = []
  cache.deleteWhere((key) => {
    keys.push(key)
    return false
  })
  return keys
}

describe('what is cached', () => {
  it('is never larger in all than its bound, the oldest going first', () => {
    const cache = new VersionedCache<string>(versions, 3 * BESIDE + 10)
    for (const key of ['a', 'b', 'c']) cache.set(key, value(key, 3))
    assert.deepEqual(keysOf(cache), ['a', 'b', 'c'])
    cache.set('d', value('d', 1))
    assert.deepEqual(keysOf(cache), ['b', 'c', 'd'])
    cache.set('a', value('a', 2 * BESIDE))
    assert.deepEqual(keysOf(cache), ['a'])
    cache.set('b', value('b', 3 * BESIDE))
    assert.deepEqual(keysOf(cache), ['a'])
  })

  it('stays a turn longer where it was asked for', () => {
    const cache = new VersionedCache<string>(versions, 3 * BESIDE + 10)
    for (const key of ['a', 'b', 'c']) cache.set(key, value(key, 1))
    assert.equal(cache.get('a'), 'a')
    cache.set('d', value('d', 1))
    assert.deepEqual(keysOf(cache), ['c', 'd', 'a'])
    for (const key of ['e', 'f', 'g']) cache.set(key, value(key, 1))
    assert.deepEqual(keysOf(cache), ['e', 'f', 'g'])
  })

  it('lets in all that there is room for, and then one read of sixteen', () => {
    const cache = new VersionedCache<string>(versions, 100 * BESIDE)
    let kept = 0
    for (let i = 0; i < 1000; i++)
      if (cache.admits()) {
        cache.set(String(i), value('x', 1))
        kept++
      }
    assert.equal(keysOf(cache).length, 99)
    assert.equal(kept, 99 + Math.floor((1000 - 99) / 16))
  })

  it('takes its room once, also when it is kept anew', () => {
    const cache = new VersionedCache<string>(versions, 2 * BESIDE + 10)
    for (let i = 0; i < 10; i++) cache.set('a', value('a', 5))
    cache.set('b', value('b', 5))
    assert.deepEqual(keysOf(cache), ['a', 'b'])
  })

  it('gives its room back when it no longer holds', () => {
    const cache = new VersionedCache<string>(versions, 2 * BESIDE + 10)
    cache.set('a', value('a', 5, 1))
    cache.set('b', value('b', 5, 2))
    versions.during(new Set([2]), () => {})
    assert.equal(cache.get('b'), undefined)
    cache.set('c', value('c', 5))
    assert.deepEqual(keysOf(cache), ['a', 'c'])
  })

  it('is not cached at all where it changed while it was read', () => {
    const cache = new VersionedCache<string>(versions, 2 * BESIDE + 10)
    const old = value('a', 5)
    versions.during(new Set([1]), () => cache.set('a', old))
    cache.set('a', old)
    assert.equal(cache.get('a'), undefined)
  })

  it('goes with the app that it is of', () => {
    const cache = new VersionedCache<string>(versions, 2 * BESIDE + 10)
    for (const key of ['a', 'b']) cache.set(key, value(key, 5))
    cache.deleteWhere((key) => key === 'a')
    cache.set('c', value('c', 5))
    assert.deepEqual(keysOf(cache), ['b', 'c'])
  })

  it('counts a text by the bytes of its units', () => {
    for (const [text, bytes] of [
      ['', 0],
      ['abc', 3],
      ['é', 1],
      ['αβγ', 6],
      ['😀', 4],
    ] as const)
      assert.equal(bytesOfText(text), bytes)
  })
})
