import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jsonValues } from '../../test/json-values.ts'
import { randomCases } from '../../test/random-cases.ts'
import { compareValues, equalValues, rankOf } from './compare.ts'
import { parseJson } from './exact.ts'
import { equalityKey, orderKey, quantityOfKey, rankOfKey, textOfKey } from './order-key.ts'

/** Each line is greater than the one before it; what stands in one line is equal. */
const IN_ORDER = [
  ['null'],
  ['-1e308'],
  ['-9223372036854775808'],
  ['-9223372036854775807'],
  ['-9007199254740993'],
  ['-9007199254740992', '-9007199254740992.0'],
  ['-1.5'],
  ['-1', '-1.0', '-1e0'],
  ['-1e-300'],
  ['0', '-0', '0.0'],
  ['5e-324'],
  ['0.1', '0.10'],
  ['1', '1.0', '1e0'],
  ['9007199254740991'],
  ['9007199254740992', '9007199254740992.0'],
  ['9007199254740993'],
  ['1152921504606846976'],
  ['1152921504606847000'],
  ['9223372036854775806'],
  ['9223372036854775807'],
  ['9223372036854775808', '9223372036854775808.0'],
  ['1e308'],
  ['""'],
  ['"a"'],
  ['"a\\u0001"'],
  ['"aa"'],
  ['"b"'],
  ['"\\uff61"'],
  ['"\\ud83d\\ude00"'],
  ['{}'],
  ['{"":null}'],
  ['{"a":1}'],
  ['{"a":1,"b":1}', '{"b":1,"a":1}'],
  ['{"a":2}'],
  ['{"a.b":0}'],
  ['[]'],
  ['[null]'],
  ['[null,null]'],
  ['[1]', '[1.0]'],
  ['[1,[]]'],
  ['[[1]]'],
  ['[[1],2]'],
  ['false'],
  ['true'],
].map((line) => line.map((text) => parseJson(text, { nestingLevels: 100 })))

const sign = (order: number): number => Math.sign(order)

describe('the order of all values', () => {
  it('is told by order keys and by plain comparison, each pair of a ladder of values', () => {
    for (const [i, lesser] of IN_ORDER.entries())
      for (const [j, greater] of IN_ORDER.entries())
        for (const a of lesser)
          for (const b of greater) {
            const pair = JSON.stringify([a, b], (_, value) => (value instanceof Map ? [...value] : value))
            assert.equal(sign(Buffer.compare(orderKey(a), orderKey(b))), sign(i - j), pair)
            assert.equal(sign(compareValues(a, b)), sign(i - j), pair)
            assert.equal(equalityKey(a) === equalityKey(b), i === j, pair)
            assert.equal(equalValues(a, b), i === j, pair)
          }
  })

  it('gives a missing value the place of null', () => {
    assert.deepEqual(orderKey(undefined), orderKey(null))
  })

  it('is told by order keys as by plain comparison, any two values', () => {
    fc.assert(
      fc.property(jsonValues(), jsonValues(), (a, b) => {
        const order = sign(compareValues(a, b))
        assert.equal(sign(Buffer.compare(orderKey(a), orderKey(b))), order)
        assert.equal(equalityKey(a) === equalityKey(b), order === 0)
        assert.equal(equalValues(a, b), order === 0)
      }),
      randomCases(),
    )
  })

  it('lets a rank, a text and a quantity be read from their keys', () => {
    for (const value of IN_ORDER.flat()) assert.equal(rankOfKey(orderKey(value)), rankOf(value))
    for (const text of ['', 'a', 'a\u0001', '\uff61😀']) assert.equal(textOfKey(orderKey(text)), text)
    for (const double of [0, -1.5, 1e308, 5e-324, 2 ** 53])
      assert.equal(quantityOfKey(orderKey(double)), double)
    for (const text of ['9007199254740993', '-9223372036854775807', '9223372036854775807']) {
      const parsed = parseJson(text, { nestingLevels: 1 })
      assert.equal(quantityOfKey(orderKey(parsed)), BigInt(text))
    }
  })

  it('is a total order', () => {
    fc.assert(
      fc.property(jsonValues(), jsonValues(), jsonValues(), (a, b, c) => {
        assert.equal(compareValues(a, a), 0)
        assert.equal(sign(compareValues(a, b)), -sign(compareValues(b, a)) + 0)
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) assert.ok(compareValues(a, c) <= 0)
      }),
    )
  })
})
