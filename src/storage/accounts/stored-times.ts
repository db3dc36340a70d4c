/** The last instant that a `Date` can hold (ECMAScript, section 21.4.1.1). */
export const LATEST_MS = 8.64e15

/** An instant as it stands in a row, where any 64 bits may stand; undefined where it is none. */
export function storedTime(value: unknown): number | undefined {
  return typeof value === 'bigint' && value >= 0n && value <= BigInt(LATEST_MS) ? Number(value) : undefined
}

/** When something ends: what can't be read has ended long ago, so that nothing goes on by damage. */
export function storedEnd(value: unknown): number | null {
  return value === null ? null : (storedTime(value) ?? 0)
}
