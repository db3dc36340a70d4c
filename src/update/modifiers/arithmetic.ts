import { AppError } from '../../errors.ts'
import { fromQuantity } from '../../json/from-quantity.ts'
import type { Path } from '../../json/path.ts'
import { type ExactNumber, isJsonNumber, type JsonValue, jsonInteger, quantity } from '../../json/value.ts'
import { notApplicable, shownPath } from '../describe.ts'
import { exactProduct, exactSum } from './exact-result.ts'
import { exactInt64, within64Bits } from './numbers.ts'

type NumberValue = number | ExactNumber

interface Operation {
  readonly modifier: '$inc' | '$mul'
  /** The operand that changes nothing. */
  readonly identity: number
  readonly ofDoubles: (a: number, b: number) => number
  readonly ofIntegers: (a: bigint, b: bigint) => bigint
  /** Of any two numbers, undefined where the result can't be kept as it is. */
  readonly exact: (a: bigint | number, b: bigint | number) => NumberValue | undefined
}

const SUM: Operation = Object.freeze({
  modifier: '$inc',
  identity: 0,
  ofDoubles: (a: number, b: number) => a + b,
  ofIntegers: (a: bigint, b: bigint) => a + b,
  exact: exactSum,
})

const PRODUCT: Operation = Object.freeze({
  modifier: '$mul',
  identity: 1,
  ofDoubles: (a: number, b: number) => a * b,
  ofIntegers: (a: bigint, b: bigint) => a * b,
  exact: exactProduct,
})

/**
 * `$inc`: integers of 64 bits, however they are written, stay exact, all other numbers are added as doubles. Where there
 * is nothing, the sum is the operand as it is written.
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

/** A number that the operation leaves as it is stays as it was written. */
function calculate(operation: Operation, { value, operand, path }: Terms): NumberValue {
  const { modifier, identity } = operation
  if (!isJsonNumber(value)) throw notApplicable(modifier, path, value, 'a number')
  if (quantity(operand) === identity) return value
  if (operation === PRODUCT && quantity(value) === 0) return value
  const a = exactInt64(value)
  const b = exactInt64(operand)
  if (a !== undefined && b !== undefined) {
    const integer = within64Bits(operation.ofIntegers(a, b))
    return integer === undefined ? refuse(operation, path, BEYOND) : jsonInteger(integer)
  }
  const left = a ?? Number(quantity(value))
  const right = b ?? Number(quantity(operand))
  // A double may not be able to say such an integer, and less and less of what is added to it.
  if (isLong(a) || isLong(b)) return operation.exact(left, right) ?? refuse(operation, path, BETWEEN)
  return ofDoubles(operation, { value: Number(left), operand: Number(right), path })
}

/** Whether it is an integer beyond those that doubles count one by one. */
function isLong(integer: bigint | undefined): boolean {
  return integer !== undefined && !Number.isSafeInteger(Number(integer))
}

/** Rounded as doubles are, unless nothing would be left of the one or the other number. */
function ofDoubles(
  operation: Operation,
  { value, operand, path }: { value: number; operand: number; path: Path },
): NumberValue {
  const result = operation.ofDoubles(value, operand)
  if (!Number.isFinite(result)) return refuse(operation, path, BEYOND)
  const isLost =
    result === value ||
    (operation === SUM ? result === operand && value !== 0 : result === 0 && operand !== 0)
  return isLost ? refuse(operation, path, BETWEEN) : fromQuantity(result)
}

const BEYOND = 'is beyond integers of 64 bits, or beyond doubles'
const BETWEEN = 'would get lost, for doubles are not that fine; use $set to write what it shall be'

function refuse({ modifier }: Operation, path: Path, why: string): never {
  throw new AppError('number_out_of_range', `what ${modifier} would make of ${shownPath(path)} ${why}`)
}
