import type { AlertCondition } from '../domain/alerts.ts'

/** Four times the length from which on writes wait for a log to begin anew. */
const LONG_BYTES = 256 * 1024 ** 2
const HUGE_BYTES = 1024 ** 3
/** Shorter ones are told of in no case. */
export const WATCHED_BYTES = LONG_BYTES / 2
const LASTING_MS = 10 * 60 * 1000
const MIB = 1024 ** 2

export interface WalLook {
  /** The lengths of write-ahead logs in bytes, by what they are of. */
  readonly bytes: ReadonlyMap<string, number>
  /** Milliseconds of a clock that is never set back. */
  readonly at: number
  readonly isFiring: (subject: string) => boolean
}

/** Which write-ahead logs grow: something keeps them from beginning anew, such as a read that doesn't end. */
export class WalGrowth {
  /** Since when each is long. */
  private longSince = new Map<string, number>()

  /** Told are those above 1 GiB, and above 256 MiB for ten minutes, until they are half as long; the longest first. */
  look({ bytes, at, isFiring }: WalLook): readonly AlertCondition[] {
    const long = [...bytes].filter(([, length]) => length > LONG_BYTES)
    this.longSince = new Map(long.map(([subject]) => [subject, this.longSince.get(subject) ?? at]))
    return [...bytes]
      .filter(([subject, length]) => {
        if (isFiring(subject)) return length > WATCHED_BYTES
        return length > HUGE_BYTES || at - (this.longSince.get(subject) ?? at) >= LASTING_MS
      })
      .sort(([, one], [, other]) => other - one)
      .map(([subject, length]) => ({
        subject,
        message: `the write-ahead log of ${subject} has ${Math.floor(length / MIB)} MiB, and does not begin anew`,
      }))
  }
}
