import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shrinkTraffic } from './tidy-traffic.ts'

describe('traffic of which there is too much', () => {
  /** Each app has the same of each day of its time. */
  async function cutsOf(bytes: Record<string, number>, mostBytes: number): Promise<string[]> {
    const cuts: string[] = []
    await shrinkTraffic({
      bytesOf: new Map(Object.entries(bytes)),
      mostBytes,
      cut: async (app, share) => {
        cuts.push(`${app} ${share}`)
        return bytes[app]! * share
      },
    })
    return cuts
  }

  it('is let be while it is no more than that', async () => {
    assert.deepEqual(await cutsOf({ a: 60, b: 40 }, 100), [])
    assert.deepEqual(await cutsOf({}, 100), [])
  })

  it('loses the older half of the app that has most, until it fits', async () => {
    assert.deepEqual(await cutsOf({ a: 80, b: 50, c: 10 }, 100), ['a 0.5'])
    // 40 + 50 + 10, then b is the largest one.
    assert.deepEqual(await cutsOf({ a: 80, b: 50, c: 10 }, 80), ['a 0.5', 'b 0.5'])
    assert.deepEqual(await cutsOf({ a: 80, b: 1 }, 30), ['a 0.5', 'a 0.25'])
  })

  it('is cut no further where that is of no use', async () => {
    assert.deepEqual((await cutsOf({ a: 8 }, 0)).at(-1), `a ${1 / 256}`)
  })
})
