import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteRange } from './byte-range.ts'

test('a range that means nothing, or several, is the whole', () => {
  for (const range of [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=2-1',
    'bytes=0-1,3-4',
    'bytes= 0-1',
    'bytes=-1-2',
    'bytes=0x1-2',
    'bytes=1.5-2',
    'items=0-1',
    `bytes=${'9'.repeat(16)}-`,
  ])
    assert.equal(byteRange(range, 10), 'whole', range)
})

test('a range of which the file has nothing can not be satisfied', () => {
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=999999999999999-', 'bytes=-0'])
    assert.equal(byteRange(range, 10), 'unsatisfiable', range)
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
    assert.equal(byteRange(range, 0), 'unsatisfiable', range)
})

test('a range is as much of the file as there is', () => {
  for (const [range, first, last] of [
    ['bytes=0-0', 0, 0],
    ['bytes=0-9', 0, 9],
    ['bytes=0-99', 0, 9],
    ['bytes=9-', 9, 9],
    ['Bytes=3-', 3, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-99', 0, 9],
  ] as const)
    assert.deepEqual(byteRange(range, 10), { first, last }, range)
})
