import { createHash } from 'node:crypto'

/**
 * How many distinct addresses there were, approximately, without keeping any: a HyperLogLog (Flajolet et al., 2007). Each
 * address is hashed with a salt; the first 12 bits of the hash choose a register, which keeps the longest run of zeros that
 * the others began with. The standard error is 1.04 / √4096 = 1.6 %.
 */
const INDEX_BITS = 12
export const REGISTERS = 2 ** INDEX_BITS
const REST_BITS = 64 - INDEX_BITS
/** Bias of the harmonic mean for as many registers (the paper's figure 3). */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)
/** Up to here empty registers tell more (linear counting; same figure). */
const SMALL_RANGE = 2.5 * REGISTERS

export function emptyRegisters(): Uint8Array {
  return new Uint8Array(REGISTERS)
}

/** @param salt random, and no longer there when its day is over, so that no register leads back to an address */
export function noteAddress(
  registers: Uint8Array,
  { salt, app, address }: { readonly salt: Uint8Array; readonly app: string; readonly address: string },
): void {
  // No text of an app's id has the character between them.
  const hash = createHash('sha256').update(salt).update(`${app}\n${address}`).digest()
  const high = hash.readUInt32BE(0)
  const index = high >>> (32 - INDEX_BITS)
  const rank = leadingZeros(high, hash.readUInt32BE(4)) + 1
  if (rank > registers[index]!) registers[index] = rank
}

/** Adds what another has seen; registers of another count are passed over. */
export function mergeRegisters(into: Uint8Array, from: Uint8Array): void {
  if (from.length !== into.length) return
  for (let i = 0; i < into.length; i++) if (from[i]! > into[i]!) into[i] = from[i]!
}

/** An estimate, a whole number. */
export function distinctAddresses(registers: Uint8Array): number {
  let sum = 0
  let empty = 0
  for (const register of registers) {
    sum += 2 ** -register
    if (register === 0) empty++
  }
  const estimate = (ALPHA * REGISTERS ** 2) / sum
  if (estimate <= SMALL_RANGE && empty > 0) return Math.round(REGISTERS * Math.log(REGISTERS / empty))
  return Math.round(estimate)
}

/** Of the 52 bits behind the index. */
function leadingZeros(high: number, low: number): number {
  const rest = (high << INDEX_BITS) >>> 0
  if (rest !== 0) return Math.min(Math.clz32(rest), REST_BITS)
  return 32 - INDEX_BITS + Math.clz32(low)
}
