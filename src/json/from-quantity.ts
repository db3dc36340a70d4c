import { type ExactNumber, isInt64Text, jsonInteger } from './value.ts'

/**
 * The JSON value of a finite quantity. A large whole number gets all of its digits: JavaScript prints 2^62 as
 * 4611686018427388000, which is another integer of 64 bits.
 */
export function fromQuantity(amount: number | bigint): number | ExactNumber {
  if (typeof amount === 'bigint') return jsonInteger(amount)
  // Adding zero makes -0 the zero that it equals, and that prints as such.
  if (Number.isSafeInteger(amount) || !Number.isInteger(amount)) return amount + 0
  const integer = BigInt(amount)
  return isInt64Text(integer.toString()) ? jsonInteger(integer) : amount
}
