import { RANK, type Rank, rankOf, sortedMembers } from './compare.ts'
import type { ExactNumber, JsonArray, JsonObject, JsonValue } from './value.ts'
import { isJsonNumber, quantity } from './value.ts'

/** Ends a text, an array or an object: less than every byte that can go on. */
const END = Buffer.from([0])
/** Stands before each member of an object, so that an object that goes on is greater than one that ends. */
const MEMBER = Buffer.from([1])
/** The bytes about a text, as a text. */
const TEXT_BEGIN = String.fromCharCode(RANK.text + 1)
const TEXT_END = '\0'
const NUMBER_BYTES = 11
/** An integer of 64 bits lies at most 512 beside the double nearest to it; this lifts the rest above zero. */
const RESIDUE_OFFSET = 1024

/**
 * Bytes that stand in the one order of all values: comparing two keys byte by byte gives what `compareValues` gives,
 * and two keys are the same bytes only where their values are equal. A missing value has the key of null.
 */
export function orderKey(value: JsonValue | undefined): Uint8Array {
  const chunks: Uint8Array[] = []
  append(value, chunks)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

/** The rank that a value's order key begins with. */
export function rankOfKey(key: Uint8Array): Rank {
  return (key[0]! - 1) as Rank
}

/** The text whose order key this is. */
export function textOfKey(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset + 1, key.byteLength - 2).toString()
}

/** The quantity of the number whose order key this is. */
export function quantityOfKey(key: Uint8Array): number | bigint {
  const bytes = Buffer.from(key)
  if (bytes[1]! >= 0x80) bytes[1]! ^= 0x80
  else for (let i = 1; i < 9; i++) bytes[i]! ^= 0xff
  const double = bytes.readDoubleBE(1)
  const residue = bytes.readUInt16BE(9) - RESIDUE_OFFSET
  return residue === 0 ? double : BigInt(double) + BigInt(residue)
}

/**
 * A key for Sets and Maps, the same for equal values only. What JavaScript compares as the store does is its own key;
 * an order key serves for the rest, after a NUL, which no text contains.
 * @param ordered the value's order key, where it has been made already
 */
export function equalityKey(value: JsonValue | undefined, ordered?: Uint8Array): string | number | bigint {
  if (typeof value === 'string') return value
  if (isJsonNumber(value)) return quantity(value)
  return `\u0000${Buffer.from(ordered ?? orderKey(value)).toString('latin1')}`
}

/** Each value begins with the place of its type, from 1, and says itself where it ends. */
function append(value: JsonValue | undefined, chunks: Uint8Array[]): void {
  const rank = rankOf(value)
  switch (rank) {
    case RANK.number:
      chunks.push(numberKey(value as number | ExactNumber))
      return
    case RANK.text:
      chunks.push(Buffer.from(`${TEXT_BEGIN}${value as string}${TEXT_END}`))
      return
    case RANK.object:
      chunks.push(rankByte(rank))
      appendMembers(value as JsonObject, chunks)
      return
    case RANK.array:
      chunks.push(rankByte(rank))
      for (const element of value as JsonArray) append(element, chunks)
      chunks.push(END)
      return
    default:
      chunks.push(rankByte(rank))
  }
}

function appendMembers(object: JsonObject, chunks: Uint8Array[]): void {
  for (const [key, value] of sortedMembers(object)) {
    chunks.push(MEMBER, Buffer.from(key), END)
    append(value, chunks)
  }
  chunks.push(END)
}

function rankByte(rank: number): Uint8Array {
  return Uint8Array.of(rank + 1)
}

/**
 * The nearest double, then how far the number lies beside it. A double's bits order positive numbers; with the sign
 * bit turned over, and all bits of a negative number, they order every number.
 */
function numberKey(value: number | ExactNumber): Uint8Array {
  const amount = quantity(value)
  const double = Number(amount)
  const residue = typeof amount === 'bigint' ? Number(amount - BigInt(double)) : 0
  const key = Buffer.allocUnsafe(NUMBER_BYTES)
  key[0] = RANK.number + 1
  // Adding zero makes -0 the zero that it equals.
  key.writeDoubleBE(double + 0, 1)
  if (key[1]! < 0x80) key[1]! ^= 0x80
  else for (let i = 1; i < 9; i++) key[i]! ^= 0xff
  key.writeUInt16BE(residue + RESIDUE_OFFSET, 9)
  return key
}
