import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { json } from '../../../test/applied.ts'
import { stringify } from '../../json/stringify.ts'
import { jsonInteger } from '../../json/value.ts'
import { bitwise } from './bit.ts'

const PATH = ['n']

describe('bitwise', () => {
  it('refuses what is no integer of 64 bits', () => {
    for (const value of [
      '0.5',
      '1.0000000000000000001',
      '1e19',
      '9223372036854775808',
      '9223372036854775808.0',
      'null',
      '"1"',
      'true',
      '[1]',
      '{}',
    ])
      assert.throws(() => bitwise(json(value), [{ operator: 'or', operand: 1n }], PATH), {
        code: 'update_not_applicable',
        message: /\$bit needs an integer of 64 bits at "n"/,
      })
  })

  it('takes an integer for one, however it is written', () => {
    const or = (value: string) => stringify(bitwise(json(value), [{ operator: 'or', operand: 2n }], PATH))
    assert.equal(or('1.0'), '3')
    assert.equal(or('-0.0'), '2')
    assert.equal(or('40e-1'), '6')
    assert.equal(or('1e2'), '102')
    assert.equal(or('9007199254740993.0'), '9007199254740995')
  })

  it('leaves an integer as it is written where no bit changes', () => {
    for (const text of ['-0', '4.0']) {
      const value = json(text)
      assert.equal(bitwise(value, [{ operator: 'and', operand: 7n }], PATH), value)
    }
  })

  it('agrees with JavaScript on integers of 32 bits', () => {
    const integers = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
    fc.assert(
      fc.property(integers, integers, (a, b) => {
        const result = (operator: 'and' | 'or' | 'xor') =>
          bitwise(a, [{ operator, operand: BigInt(b) }], PATH)
        assert.equal(result('and'), a & b)
        assert.equal(result('or'), a | b)
        assert.equal(result('xor'), a ^ b)
      }),
    )
  })

  it('undoes xor with the same xor, on all 64 bits', () => {
    const integers = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(integers, integers, (a, operand) => {
        const once = bitwise(jsonInteger(a), [{ operator: 'xor', operand }], PATH)
        assert.equal(stringify(bitwise(once, [{ operator: 'xor', operand }], PATH)), String(a))
      }),
    )
  })
})
