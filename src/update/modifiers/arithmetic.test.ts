import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { json } from '../../../test/applied.ts'
import { randomCases } from '../../../test/random-cases.ts'
import { stringify } from '../../json/stringify.ts'
import { type ExactNumber, jsonInteger } from '../../json/value.ts'
import { increment, multiply } from './arithmetic.ts'

const PATH = ['n']
const OUT_OF_RANGE = { code: 'number_out_of_range' }

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
    assert.throws(() => sum('9223372036854775807', '1'), OUT_OF_RANGE)
    assert.throws(() => sum('-9223372036854775808', '-1'), OUT_OF_RANGE)
    assert.throws(() => product('-9223372036854775808', '-1'), OUT_OF_RANGE)
    assert.throws(() => product('4611686018427387904', '2'), OUT_OF_RANGE)
    assert.throws(() => sum('1.7976931348623157e308', '1e308'), OUT_OF_RANGE)
    // Neither what was there nor what is added may get lost.
    assert.throws(() => sum('0.5', '1e20'), OUT_OF_RANGE)
    assert.throws(() => sum('1e20', '0.5'), OUT_OF_RANGE)
    assert.equal(sum('0', '1e20'), '100000000000000000000')
    assert.throws(() => product('1e200', '-1e200'), OUT_OF_RANGE)
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

  it('take an integer for one, however it is written', () => {
    for (const one of [
      '1',
      '1.0',
      '1e0',
      '10e-1',
      '0.1e1',
      '1.000',
      '0.001E+3',
      `1${'0'.repeat(400)}e-400`,
    ]) {
      assert.equal(sum('9007199254740993', one), '9007199254740994', one)
      assert.equal(sum('9007199254740993.0', one), '9007199254740994', one)
      assert.equal(product('9007199254740993', one), '9007199254740993', one)
    }
    assert.equal(sum('9007199254740993', '2.0'), '9007199254740995')
    assert.equal(sum('9007199254740993', '-1.0'), '9007199254740992')
    assert.equal(sum('9007199254740993.0', '-1'), '9007199254740992')
    assert.equal(product('9007199254740993', '3e0'), '27021597764222979')
    assert.equal(product('9007199254740993.0', '-1.0'), '-9007199254740993')
    assert.equal(sum('1.0', '2'), '3')
    assert.equal(product('2305843009213693952.0', '2'), '4611686018427387904')
    assert.equal(sum('9223372036854775806', '1.0'), '9223372036854775807')
    assert.equal(sum('1e18', '1'), '1000000000000000001')
    assert.throws(() => sum('9223372036854775807', '1.0'), OUT_OF_RANGE)
    assert.throws(() => product('5e18', '2'), OUT_OF_RANGE)
  })

  it('calculate with doubles as soon as one of the two is no integer of 64 bits', () => {
    assert.equal(sum('0.1', '0.2'), '0.30000000000000004')
    assert.equal(sum('10', '2.5'), '12.5')
    assert.equal(sum('1.10', '2.20'), '3.3000000000000003')
    assert.equal(product('2.5', '2'), '5')
    assert.equal(product('5', '0.0'), '0')
    assert.equal(product('5', '-0.0'), '0')
    assert.equal(sum('1e20', '1e20'), '200000000000000000000')
    assert.equal(sum('1e20', '10000'), '100000000000000020000')
    assert.equal(product('6.02214076e23', '3'), '1.806642228e+24')
    assert.equal(product('1e200', '1e-200'), '1')
  })

  it('refuse what doubles are too coarse to say, where an integer beyond 2^53 is among the two', () => {
    assert.throws(() => sum('9007199254740993', '0.5'), OUT_OF_RANGE)
    assert.throws(() => sum('0.5', '9007199254740993'), OUT_OF_RANGE)
    assert.throws(() => sum('1760000000000000000', '1000.5'), OUT_OF_RANGE)
    assert.throws(() => sum('9223372036854775807', '1e19'), OUT_OF_RANGE)
    assert.throws(() => product('9007199254740993', '0.1'), OUT_OF_RANGE)
    assert.throws(() => product('9007199254740993', '0.5'), OUT_OF_RANGE)
    assert.equal(product('9007199254740994', '1.5'), '13510798882111491')
    assert.equal(product('9007199254740994', '0.5'), '4503599627370497')
    assert.throws(() => sum('-9007199254740992', '4503599627370495.5'), OUT_OF_RANGE)
    // Beyond 64 bits alone, and an integer of 64 bits together.
    assert.equal(sum('9223372036854775807', '-1e19'), '-776627963145224193')
    assert.equal(product('9007199254740992', '1e19'), '9.007199254740992e+34')
  })

  it('refuse to do nothing silently', () => {
    for (const [value, operand] of [
      ['1e300', '1'],
      ['1e20', '1'],
      ['1e20', '-4096'],
      ['1.5', '1e-20'],
      ['0.1', '5e-324'],
    ] as const)
      assert.throws(() => sum(value, operand), OUT_OF_RANGE, `${value} + ${operand}`)
    assert.throws(() => product('5e-324', '1.2'), OUT_OF_RANGE)
    assert.throws(() => product('1e-200', '1e-200'), OUT_OF_RANGE)
    assert.throws(() => product('5e-324', '-0.5'), OUT_OF_RANGE)
  })

  it('leave a number as it is written where there is nothing to do', () => {
    assert.equal(sum('1.10', '0'), '1.10')
    assert.equal(sum('-0', '0.0'), '-0')
    assert.equal(sum('9007199254740993', '0.0'), '9007199254740993')
    assert.equal(sum('9007199254740993.0', '-0e5'), '9007199254740993.0')
    assert.equal(product('1.10', '1.0'), '1.10')
    assert.equal(product('0.0', '5'), '0.0')
    assert.equal(product('-0', '0.1'), '-0')
  })

  it('are not held up by the length of a number', () => {
    const zeros = '0'.repeat(500_000)
    const began = performance.now()
    assert.equal(sum(`0.${zeros}1`, `1.${zeros}`), '1')
    assert.equal(sum(`1.${zeros}1${zeros}`, '1'), '2')
    assert.equal(sum(`1e-${zeros}`, '1'), '2')
    assert.ok(performance.now() - began < 2000)
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

  it('is the same however they are written', () => {
    const spellings = fc.tuple(fc.nat({ max: 30 }), fc.constantFrom('', '.0', 'e0', 'E+0', '.000e0'))
    fc.assert(
      fc.property(integers, integers, spellings, spellings, (a, b, left, right) => {
        assert.equal(sum(spelled(a, left), spelled(b, right)), b === 0n ? spelled(a, left) : String(a + b))
      }),
    )
  })
})

/** The same integer, with zeros behind it that its exponent takes away again, or with an ending. */
function spelled(integer: bigint, [zeros, ending]: readonly [number, string]): string {
  const behind = integer === 0n ? '' : '0'.repeat(zeros)
  return ending === '' ? `${integer}${behind}e-${zeros}` : `${integer}${ending}`
}

/** The number of a JSON text, or of a double, as a fraction whose denominator is a power of ten. */
function fractionOf(number: string | number): { numerator: bigint; digits: number } {
  const text = typeof number === 'number' ? exactText(number) : number
  const [, mantissa = '', exponent = '0'] = /^([^e]+)(?:e(.+))?$/i.exec(text)!
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = fraction.length - Number(exponent)
  const numerator = BigInt(whole + fraction)
  return digits >= 0 ? { numerator, digits } : { numerator: numerator * 10n ** BigInt(-digits), digits: 0 }
}

/** All digits of a double: it is a whole number of so many halves of halves. */
function exactText(double: number): string {
  let halvings = 0
  let whole = double
  for (; !Number.isInteger(whole); halvings++) whole *= 2
  return `${BigInt(whole) * 5n ** BigInt(halvings)}e-${halvings}`
}

type Fraction = ReturnType<typeof fractionOf>

function combined(kind: 'sum' | 'product', a: Fraction, b: Fraction): Fraction {
  if (kind === 'product') return { numerator: a.numerator * b.numerator, digits: a.digits + b.digits }
  const digits = Math.max(a.digits, b.digits)
  const scaled = (one: Fraction): bigint => one.numerator * 10n ** BigInt(digits - one.digits)
  return { numerator: scaled(a) + scaled(b), digits }
}

function areEqual(a: Fraction, b: Fraction): boolean {
  return a.numerator * 10n ** BigInt(b.digits) === b.numerator * 10n ** BigInt(a.digits)
}

/** Whether an integer of 64 bits or a double is just this. */
function canBeKept(fraction: Fraction): boolean {
  const unit = 10n ** BigInt(fraction.digits)
  const whole = fraction.numerator / unit
  if (whole * unit === fraction.numerator && BigInt.asIntN(64, whole) === whole) return true
  const nearest = Number(`${fraction.numerator}e-${fraction.digits}`)
  return Number.isFinite(nearest) && areEqual(fraction, fractionOf(nearest))
}

function isInt64(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer
}

const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ noNaN: true, min: -1e20, max: 1e20 }),
  fc.integer({ min: -(2 ** 30), max: 2 ** 30 }).map((one) => one / 2 ** 10),
)
const longIntegers = fc
  .tuple(fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }), fc.boolean(), fc.nat({ max: 40 }))
  .map(
    ([integer, isNegative, zeros]) => ((integer >> BigInt(zeros)) << BigInt(zeros)) * (isNegative ? -1n : 1n),
  )
  .filter((integer) => integer > 2n ** 53n || integer < -(2n ** 53n))

describe('an integer beyond 2^53 and any other number', () => {
  for (const [kind, operate] of [
    ['sum', sum],
    ['product', product],
  ] as const)
    it(`have an exact ${kind}, or none`, () => {
      let kept = 0
      fc.assert(
        fc.property(longIntegers, doubles, fc.boolean(), (integer, double, isOperand) => {
          const written = double === 0 ? '0' : String(double)
          const exact = combined(kind, fractionOf(String(integer)), fractionOf(double))
          const terms: [string, string] = isOperand ? [written, String(integer)] : [String(integer), written]
          if (!canBeKept(exact)) assert.throws(() => operate(...terms), OUT_OF_RANGE)
          else if (Number.isInteger(double) && isInt64(BigInt(double))) return
          else {
            kept++
            const result = operate(...terms)
            // From 2^63 on 19 digits are those of a double: 9223372036854776000 is 2^63.
            const isInteger = /^-?\d{1,19}$/.test(result) && isInt64(BigInt(result))
            assert.ok(areEqual(exact, fractionOf(isInteger ? result : Number(result))), result)
          }
        }),
        randomCases(),
      )
      assert.ok(kept > 0)
    })
})

describe('two other numbers', () => {
  it('are added and multiplied as doubles, unless one would be lost', () => {
    const fractions = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((one) => !Number.isInteger(one))
    fc.assert(
      fc.property(fractions, fractions, (a, b) => {
        for (const [operate, result, isLost] of [
          [sum, a + b, a + b === a || (a + b === b && a !== 0)],
          [product, a * b, a * b === a || a * b === 0],
        ] as const)
          if (isLost || !Number.isFinite(result))
            assert.throws(() => operate(String(a), String(b)), OUT_OF_RANGE)
          else assert.equal(Number(operate(String(a), String(b))), result + 0)
      }),
    )
  })
})
