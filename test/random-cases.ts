/**
 * How many random cases a cheap property is tried with, such as one of plain code; a dear one takes a part of them.
 * `npm test` tries as many as find most mistakes within seconds, and `npm run test:random` sets `SHEAF_RANDOM_CASES`.
 */
const CASES = Number(process.env.SHEAF_RANDOM_CASES ?? 2000)

/** @param share of the cases, 1 for a property of plain code and less for one that writes to files */
export function randomCases(share = 1): { numRuns: number } {
  return { numRuns: Math.ceil(CASES * share) }
}
