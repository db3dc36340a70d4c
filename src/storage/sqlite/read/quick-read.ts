import { IN_TIME, IN_TIME_OFTEN } from '../compile/compile-filter.ts'

/** Documents that a quick reader looks at for one request, a few microseconds each. */
export const QUICK_DOCUMENTS = 1000
/** Entries of an index that it goes through, about a tenth of a microsecond each. */
export const QUICK_ENTRIES = 20_000
/** How long it goes on with them, in milliseconds: large ones, and patterns on long texts, take a thousand times as long. */
export const QUICK_MS = 10

/** A read that was asked of a quick reader is one for a scan reader. */
export class TakesLong extends Error {}

/** How often the statements of a read ask for the time. */
export function inTime({ isQuick }: { readonly isQuick: boolean }): string {
  return isQuick ? IN_TIME_OFTEN : IN_TIME
}

/** What a read is about to look at. */
interface Effort {
  readonly documents?: number
  readonly entries?: number
}

/** @throws TakesLong where a read that should be quick would look at too much */
export function requireQuick(
  { isQuick }: { readonly isQuick: boolean },
  { documents = 0, entries = 0 }: Effort,
): void {
  if (isQuick && (documents > QUICK_DOCUMENTS || entries > QUICK_ENTRIES)) throw new TakesLong()
}
