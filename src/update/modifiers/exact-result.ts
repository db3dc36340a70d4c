import { fromQuantity } from '../../json/from-quantity.ts'
import { type ExactNumber, jsonInteger } from '../../json/value.ts'
import { within64Bits } from './numbers.ts'

/** A number that doubles and integers can say, exactly: a mantissa times a power of two. */
interface Binary {
  readonly mantissa: bigint
  /** From 0 down; above it, the mantissa is longer. */
  readonly exponent: number
}

/** The sum as a number that can be kept, or undefined where none is equal to it. */
export function exactSum(a: bigint | number, b: bigint | number): number | ExactNumber | undefined {
  const [left, right] = [binaryOf(a), binaryOf(b)]
  const exponent = Math.min(left.exponent, right.exponent)
  const mantissa = scaled(left, exponent) + scaled(right, exponent)
  return keptNumber({ mantissa, exponent })
}

/** The product as a number that can be kept, or undefined where none is equal to it. */
export function exactProduct(a: bigint | number, b: bigint | number): number | ExactNumber | undefined {
  const [left, right] = [binaryOf(a), binaryOf(b)]
  return keptNumber({
    mantissa: left.mantissa * right.mantissa,
    exponent: left.exponent + right.exponent,
  })
}

/** A finite number as it is, with no more digits behind the point than it needs. */
function binaryOf(number: bigint | number): Binary {
  if (typeof number === 'bigint') return { mantissa: number, exponent: 0 }
  let exponent = 0
  let whole = number
  // Exact, for a double with a fraction is far from the greatest.
  for (; !Number.isInteger(whole); exponent--) whole *= 2
  return { mantissa: BigInt(whole), exponent }
}

function scaled({ mantissa, exponent }: Binary, to: number): bigint {
  return mantissa << BigInt(exponent - to)
}

function keptNumber({ mantissa, exponent }: Binary): number | ExactNumber | undefined {
  const whole = mantissa >> BigInt(-exponent)
  const isWhole = whole << BigInt(-exponent) === mantissa
  const integer = isWhole ? within64Bits(whole) : undefined
  if (integer !== undefined) return jsonInteger(integer)
  const double = isWhole ? Number(whole) : Number(mantissa) * 2 ** exponent
  if (!Number.isFinite(double)) return undefined
  const nearest = binaryOf(double)
  const least = Math.min(exponent, nearest.exponent)
  const isSame = scaled(nearest, least) === scaled({ mantissa, exponent }, least)
  return isSame ? fromQuantity(double) : undefined
}
