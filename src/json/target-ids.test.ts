import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { targetIds } from './target-ids.ts'

describe("a path's id", () => {
  it('is a text alone unless it is printed as a number is', () => {
    for (const text of [
      '01',
      '+1',
      '1.0',
      '1e0',
      '-0',
      '.5',
      '5.',
      '0x10',
      ' 1',
      '1 ',
      'Infinity',
      'NaN',
      '1e999',
      '١',
    ])
      assert.deepEqual(targetIds(text), [text])
    assert.deepEqual(targetIds('01ARZ3NDEKTSV4RRFFQ69G5FAV'), ['01ARZ3NDEKTSV4RRFFQ69G5FAV'])
  })

  it('may be the number that is printed so', () => {
    assert.deepEqual(targetIds('1'), ['1', 1])
    assert.deepEqual(targetIds('-1.5'), ['-1.5', -1.5])
    assert.deepEqual(targetIds('1e+21'), ['1e+21', 1e21])
    assert.deepEqual(targetIds('5e-7'), ['5e-7', 5e-7])
  })

  it('keeps every digit of an integer of 64 bits', () => {
    assert.deepEqual(targetIds('9007199254740993'), ['9007199254740993', 9007199254740993n])
    assert.deepEqual(targetIds('-9223372036854775808'), ['-9223372036854775808', -(2 ** 63)])
    assert.deepEqual(targetIds('1152921504606846976'), ['1152921504606846976', 2 ** 60])
    assert.deepEqual(targetIds('1152921504606847000'), ['1152921504606847000', 1152921504606847000n])
    assert.deepEqual(targetIds('9223372036854775808'), ['9223372036854775808'])
  })
})
