import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ResultMemoryLimit } from './result-memory-limit.ts'

const MILLION = 1024 * 1024

it('large requests leave a quarter to small ones, and all are given back', () => {
  const held = new ResultMemoryLimit({ most: 4 * MILLION })
  const [large, larger, small, last] = Array.from({ length: 4 }, () => held.begin())
  large!.take(3 * MILLION)
  assert.throws(() => larger!.take(MILLION), { code: 'overloaded' })
  small!.take(100_000)
  assert.throws(() => small!.take(100_000), { code: 'overloaded' })
  large!.release()
  larger!.take(MILLION)
  larger!.take(MILLION)
  small!.release()
  larger!.release()
  last!.take(3 * MILLION)
})

it('one that is alone has room, however much it holds', () => {
  const held = new ResultMemoryLimit({ most: 1000 })
  const alone = held.begin()
  alone.take(5000)
  alone.take(5000)
  assert.throws(() => held.begin().take(1), { code: 'overloaded' })
  alone.release()
  held.begin().take(1)
})
