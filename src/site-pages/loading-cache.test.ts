import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { LoadingCache } from './loading-cache.ts'

describe('what was loaded', () => {
  it('is loaded again where that failed, for those who ask then', async () => {
    const cache = new LoadingCache<string>({ mostBytes: 10, mostLoads: 2 })
    await assert.rejects(async () => cache.get('a', () => Promise.reject(new Error('gone'))), /gone/)
    assert.equal(await cache.get('a', async () => ({ value: 'a', bytes: 1 })), 'a')
  })

  it('is loaded once for all who ask meanwhile, and there at once for those who ask later', async () => {
    const cache = new LoadingCache<string>({ mostBytes: 10, mostLoads: 2 })
    const { promise, resolve } = Promise.withResolvers<{ value: string; bytes: number }>()
    let loads = 0
    const load = (): typeof promise => {
      loads++
      return promise
    }
    const asked = [cache.get('a', load), cache.get('a', load)]
    resolve({ value: 'a', bytes: 1 })
    assert.deepEqual(await Promise.all(asked), ['a', 'a'])
    assert.equal(cache.get('a', load), 'a')
    assert.equal(loads, 1)
  })

  it('goes where there is no room, what was used longest ago first, but the newest stays', async () => {
    const cache = new LoadingCache<string>({ mostBytes: 10, mostLoads: 2 })
    const put = async (key: string, bytes: number): Promise<unknown> =>
      cache.get(key, async () => ({ value: key, bytes }))
    const isKept = (key: string): boolean => {
      const value = cache.get(key, () => Promise.reject(new Error('not kept')))
      if (value instanceof Promise) value.catch(() => {})
      return value === key
    }
    await put('a', 4)
    await put('b', 4)
    assert.ok(isKept('a'))
    await put('c', 4)
    assert.deepEqual(['a', 'b', 'c'].map(isKept), [true, false, true])
    await put('large', 100)
    assert.deepEqual(['a', 'c', 'large'].map(isKept), [false, false, true])
    await put('d', 1)
    assert.deepEqual(['large', 'd'].map(isKept), [false, true])
  })

  it('is loaded with no more others at once than are allowed, also after one failed', async () => {
    const cache = new LoadingCache<number>({ mostBytes: 100, mostLoads: 2 })
    let loads = 0
    let most = 0
    const load = async (at: number): Promise<{ value: number; bytes: number }> => {
      most = Math.max(most, ++loads)
      await nextTurn()
      loads--
      if (at % 2 === 0) throw new Error('gone')
      return { value: at, bytes: 1 }
    }
    const asked = Array.from({ length: 9 }, (_, at) => cache.get(`${at}`, () => load(at)))
    const ends = await Promise.allSettled(asked)
    assert.deepEqual(
      ends.map(({ status }) => status === 'fulfilled'),
      [false, true, false, true, false, true, false, true, false],
    )
    assert.equal(most, 2)
    assert.equal(await cache.get('x', () => load(1)), 1)
  })
})
