import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byteCount } from './byte-count.ts'

describe('a size in words', () => {
  it('has three digits, and a unit that is 1,000 of the one before', () => {
    assert.deepEqual([1, 999, 1000, 300_000, 104_857_600, 2_147_483_648, 5e15].map(byteCount), [
      '1 byte',
      '999 bytes',
      '1 kB',
      '300 kB',
      '105 MB',
      '2.15 GB',
      '5,000 TB',
    ])
  })
})
