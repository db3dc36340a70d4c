import { deadlineCheck, frequentDeadlineCheck } from '../compile/deadline-check.ts'
import type { TimeLimit } from '../files/connection.ts'

/** Documents that a foreground reader looks at for one request, a few microseconds each. */
export const FOREGROUND_DOCUMENTS = 1000
/** Entries of an index that it goes through, about a tenth of a microsecond each. */
export const FOREGROUND_ENTRIES = 20_000
/** Keys that it looks up in an index, some of them a few microseconds each. */
export const FOREGROUND_SEEKS = 2000
/** How long it goes on with them, in milliseconds: large ones, and patterns on long texts, take a thousand times as long. */
export const FOREGROUND_MS = 10

/** A read that was asked of a foreground reader is one for a background reader. */
export class BudgetExceeded extends Error {}

/** What a read may take of its thread. */
export interface ReadBounds extends TimeLimit {
  /** Whether it ends with `BudgetExceeded` where it would take long. */
  readonly isForeground: boolean
}

/** A request that its thread has begun. */
export type Begun<Request> = Omit<Request, keyof ReadBounds | 'budgetMs' | 'until'> & ReadBounds

/** How often a read's statements ask for the time that look at documents. */
export function documentsInTime({ isForeground }: { readonly isForeground: boolean }): string {
  return isForeground ? frequentDeadlineCheck('seq') : deadlineCheck('seq')
}

/** What a read is about to look at. */
interface Effort {
  readonly documents?: number
  readonly entries?: number
  readonly seeks?: number
}

/** @throws BudgetExceeded where a read of the foreground would look at too much */
export function requireForeground(
  { isForeground }: { readonly isForeground: boolean },
  { documents = 0, entries = 0, seeks = 0 }: Effort,
): void {
  if (!isForeground) return
  if (documents > FOREGROUND_DOCUMENTS || entries > FOREGROUND_ENTRIES || seeks > FOREGROUND_SEEKS)
    throw new BudgetExceeded()
}
