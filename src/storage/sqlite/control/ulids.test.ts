import assert from 'node:assert/strict'
import { it } from 'node:test'
import { monotonicUlids } from './ulids.ts'

it('hands out nothing while it can not be written down how far they have got, and rises across restarts', () => {
  let kept: string | undefined
  let isFull = true
  const control = {
    setting: () => kept,
    putSetting: (_: string, value: string) => {
      if (isFull) throw new Error('the disk is full')
      kept = value
    },
  }
  let now = 1_000_000
  const next = monotonicUlids(control, () => now)
  for (let tries = 0; tries < 3; tries++) assert.throws(next, /full/)
  isFull = false
  const handedOut = Array.from({ length: 1000 }, () => {
    now += 100
    return next()
  })
  now = 0
  handedOut.push(monotonicUlids(control, () => now)())
  assert.deepEqual(handedOut, [...new Set(handedOut)].sort())
})
