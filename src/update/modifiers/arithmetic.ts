import { AppError } from '../../errors.ts'
import { equalValues } from '../../json/compare.ts'
import { fromQuantity } from '../../json/from-quantity.ts'
import type { Path } from '../../json/path.ts'
import { type ExactNumber, isJsonNumber, type JsonValue, jsonInteger, quantity } from '../../json/value.ts'
import { notApplicable, shownPath } from '../describe.ts'
import { int64 } from './numbers.ts'

type NumberValue = number | ExactNumber

interface Operation {
  readonly modifier: '$inc' | '$mul'
  /** The operand that changes nothing. */
  readonly identity: number
  readonly ofDoubles: (a: number, b: number) => number
  readonly ofIntegers: (a: bigint, b: bigint) => bigint
}

const SUM: Operation = Object.freeze({
  modifier: '$inc',
  identity: 0,
  ofDoubles: (a: number, b: number) => a + b,
  ofIntegers: (a: bigint, b: bigint) => a + b,
})

const PRODUCT: Operation = Object.freeze({
  modifier: '$mul',
  identity: 1,
  ofDoubles: (a: number, b: number) => a * b,
  ofIntegers: (a: bigint, b: bigint) => a * b,
})

/**
 * `$inc`: integers of 64 bits stay exact, all other numbers are added as doubles. Where there is nothing, the
 * sum is the operand as it is written.
 * @throws AppError `update_not_applicable`, `number_out_of_range`
 */
export function increment(value: JsonValue | undefined, operand: NumberValue, path: Path): NumberValue {
  return value === undefined ? operand : calculate(SUM, { value, operand, path })
}

/**
 * `$mul`: as `$inc`; where there is nothing, the product is 0.
 * @throws AppError `update_not_applicable`, `number_out_of_range`
 */
export function multiply(value: JsonValue | undefined, operand: NumberValue, path: Path): NumberValue {
  return value === undefined ? 0 : calculate(PRODUCT, { value, operand, path })
}

interface Terms {
  readonly value: JsonValue
  readonly operand: NumberValue
  readonly path: Path
}

/** A result that equals the old value leaves it as it was written. */
function calculate(operation: Operation, { value, operand, path }: Terms): NumberValue {
  if (!isJsonNumber(value)) throw notApplicable(operation.modifier, path, value, 'a number')
  if (quantity(operand) === operation.identity) return value
  const a = int64(value)
  const b = int64(operand)
  const result =
    a === undefined || b === undefined
      ? finite(operation.ofDoubles(Number(quantity(value)), Number(quantity(operand))))
      : within64Bits(operation.ofIntegers(a, b))
  if (result === undefined)
    throw new AppError(
      'number_out_of_range',
      `${operation.modifier} would take ${shownPath(path)} beyond integers of 64 bits, or beyond doubles`,
    )
  return equalValues(result, value) ? value : result
}

function finite(double: number): NumberValue | undefined {
  return Number.isFinite(double) ? fromQuantity(double) : undefined
}

function within64Bits(integer: bigint): NumberValue | undefined {
  return BigInt.asIntN(64, integer) === integer ? jsonInteger(integer) : undefined
}
