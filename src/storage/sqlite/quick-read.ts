/** Documents that a quick reader looks at for one request, a few microseconds each. */
export const QUICK_DOCUMENTS = 1000
/** Entries of an index that it goes through, about a tenth of a microsecond each. */
export const QUICK_ENTRIES = 20_000

/** A read that was asked of a quick reader is one for a scan reader. */
export class TakesLong extends Error {}

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
