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
    for (const value of ['1.0', '1e2', '0.5', '9223372036854775808', 'null', '"1"', 'true', '[1]', '{}'])
      assert.throws(() => bitwise(json(value), [{ operator: 'or', operand: 1n }], PATH), {
        code: 'update_not_applicable',
        message: /\$bit needs an integer of 64 bits at "n"/,
      })
  })

  it('leaves an integer as it is written where no bit changes', () => {
    const zero = json('-0')
    assert.equal(bitwise(zero, [{ operator: 'and', operand: 7n }], PATH), zero)
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
