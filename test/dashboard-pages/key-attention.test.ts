import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attentionOf } from '../../dashboard/src/key-attention.ts'
import type { AppKey } from '../../dashboard/src/key-rules.ts'
import { byteCount } from '../../dashboard/src/texts.ts'

const NOW = Date.UTC(2026, 10, 29)
const daysAgo = (days: number): string => new Date(NOW - days * 24 * 60 * 60 * 1000).toISOString()

/** Of a key that nothing is to be said of. */
const QUIET: AppKey = {
  id: '1',
  name: 'web',
  sentence: '',
  permission: 'full',
  collections: ['notes'],
  addresses: 'all',
  websites: 'all',
  expires: 'never',
  createdAt: daysAgo(400),
  lastUsedAt: daysAgo(90),
  oldKeysUntil: [],
}
const { permission: _, ...WITHOUT_RULES } = QUIET

describe('a key that needs attention', () => {
  for (const [told, key] of [
    [[], QUIET],
    [[], { ...QUIET, lastUsedAt: null, createdAt: daysAgo(30) }],
    [[], { ...QUIET, expires: daysAgo(-8) }],
    [[], { ...QUIET, collections: 'all', addresses: ['192.0.2.7'] }],
    [['Its rules can’t be read, so that it lets nobody in.'], WITHOUT_RULES],
    [['It has ended: programs that send it get 401.'], { ...QUIET, expires: daysAgo(0), collections: 'all' }],
    [['It ends within 7 days.'], { ...QUIET, expires: daysAgo(-7) }],
    [['It ends within 1 day.'], { ...QUIET, expires: daysAgo(-0.1) }],
    [['It was made 31 days ago and never used.'], { ...QUIET, lastUsedAt: null, createdAt: daysAgo(31) }],
    [['It was last used 91 days ago.'], { ...QUIET, lastUsedAt: daysAgo(91) }],
    [
      ['It ends within 2 days.', 'It may do everything in every collection, from anywhere.'],
      { ...QUIET, collections: 'all', expires: daysAgo(-2) },
    ],
  ] satisfies [readonly string[], AppKey][])
    it(`is told of by ${JSON.stringify(told)}`, () => {
      assert.deepEqual(attentionOf(key, NOW), told)
    })
})

describe('a count of bytes', () => {
  it('is shown to three digits, in units of 1,000 of the one before', () => {
    const shown = [0, 1, 999, 1000, 999_499, 470_123_456, 1.5e15].map(byteCount)
    assert.deepEqual(shown, ['0 bytes', '1 byte', '999 bytes', '1 kB', '999 kB', '470 MB', '1,500 TB'])
  })
})
