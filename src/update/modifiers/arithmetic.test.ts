import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { json } from '../../../test/applied.ts'
import { stringify } from '../../json/stringify.ts'
import { type ExactNumber, jsonInteger } from '../../json/value.ts'
import { increment, multiply } from './arithmetic.ts'

const PATH = ['n']

function sum(value: string, operand: string): string {
  return stringify(increment(json(value), json(operand) as ExactNumber, PATH))
}

function product(value: string, operand: string): string {
  return stringify(multiply(json(value), json(operand) as ExactNumber, PATH))
}

describe('increment and multiply', () => {
  it('refuse what is no number', () => {
    for (const value of ['null', 'true', '"1"', '[]', '{}']) {
      assert.throws(() => sum(value, '1'), { code: 'update_not_applicable' })
      assert.throws(() => product(value, '1'), { code: 'update_not_applicable' })
      assert.throws(() => sum(value, '0'), { code: 'update_not_applicable' })
    }
  })

  it('refuse results that can not be kept', () => {
    const overflow = { code: 'number_out_of_range' }
    assert.throws(() => sum('9223372036854775807', '1'), overflow)
    assert.throws(() => sum('-9223372036854775808', '-1'), overflow)
    assert.throws(() => product('-9223372036854775808', '-1'), overflow)
    assert.throws(() => product('4611686018427387904', '2'), overflow)
    assert.throws(() => sum('1.7976931348623157e308', '1e308'), overflow)
    assert.throws(() => product('1e200', '-1e200'), overflow)
  })

  it('keep integers of 64 bits exact', () => {
    assert.equal(sum('9007199254740991', '1'), '9007199254740992')
    assert.equal(sum('9007199254740992', '1'), '9007199254740993')
    assert.equal(sum('9223372036854775807', '-9223372036854775808'), '-1')
    assert.equal(sum('4611686018427388000', '1'), '4611686018427388001')
    assert.equal(product('94906267', '94906267'), '9007199515875289')
    assert.equal(product('-9223372036854775807', '-1'), '9223372036854775807')
    assert.equal(product('4611686018427387904', '-2'), '-9223372036854775808')
    assert.equal(product('9007199254740993', '0'), '0')
  })

  it('calculate with doubles as soon as one of the two is not such an integer', () => {
    assert.equal(sum('0.1', '0.2'), '0.30000000000000004')
    assert.equal(sum('10', '2.5'), '12.5')
    assert.equal(sum('1.0', '2'), '3')
    assert.equal(sum('9007199254740993', '2.0'), '9007199254740994')
    assert.equal(product('2.5', '2'), '5')
    assert.equal(product('5', '0.0'), '0')
    assert.equal(product('5', '-0.0'), '0')
    assert.equal(sum('1e20', '1e20'), '200000000000000000000')
    assert.equal(product('1e200', '1e-200'), '1')
    assert.equal(product('1e-200', '1e-200'), '0')
  })

  it('write every digit of a large result', () => {
    assert.equal(product('2305843009213693952.0', '2'), '4611686018427387904')
    assert.equal(sum('9223372036854775807', '1.0'), '9223372036854776000')
  })

  it('leave a number as it is written where nothing changes', () => {
    assert.equal(sum('1.10', '0'), '1.10')
    assert.equal(sum('-0', '0.0'), '-0')
    assert.equal(sum('9007199254740993', '0.0'), '9007199254740993')
    assert.equal(sum('1e300', '1'), '1e300')
    assert.equal(product('1.10', '1.0'), '1.10')
    assert.equal(product('0.0', '5'), '0.0')
  })

  it('take nothing for 0', () => {
    assert.deepEqual(increment(undefined, { source: '1.10' }, PATH), { source: '1.10' })
    assert.equal(multiply(undefined, { source: '1.10' }, PATH), 0)
  })
})

const LIMIT = 2n ** 62n - 1n
const integers = fc.bigInt({ min: -LIMIT, max: LIMIT })

describe('increment, for any integers', () => {
  it('agrees with BigInt', () => {
    fc.assert(
      fc.property(integers, integers, (a, b) => {
        const result = increment(jsonInteger(a), jsonInteger(b), PATH)
        assert.equal(stringify(result), String(a + b))
      }),
    )
  })

  it('gives the same in whichever order it is applied', () => {
    const small = fc.array(fc.bigInt({ min: -(2n ** 59n), max: 2n ** 59n }), { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(small, (operands) => {
        const total = (list: readonly bigint[]) =>
          list.reduce<number | ExactNumber>((value, one) => increment(value, jsonInteger(one), PATH), 0)
        assert.equal(stringify(total(operands)), stringify(total(operands.toReversed())))
      }),
    )
  })

  it('of doubles is the same both ways round', () => {
    const doubles = fc.double({ noNaN: true, min: -1e300, max: 1e300 }).map((one) => one + 0)
    fc.assert(
      fc.property(doubles, doubles, (a, b) => {
        assert.equal(Number(stringify(increment(a, b, PATH))), a + b + 0)
        assert.equal(Number(stringify(increment(b, a, PATH))), a + b + 0)
      }),
    )
  })
})
