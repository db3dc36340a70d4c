import type { AlertCondition } from '../domain/alerts.ts'

export interface FailureLook {
  /** Why it fails at this time; undefined where it doesn't. */
  readonly failure: AlertCondition | undefined
  /** Milliseconds of a clock that is never set back. */
  readonly at: number
  /** Whether it is told of already. */
  readonly isFiring: boolean
}

const LASTING_MS = 60 * 1000

/** What is told of once it has failed for a minute, until it has gone well for as long. */
export class LastingFailure {
  /** Since when it is not as it is told. */
  private changedAt: number | undefined

  /** @returns undefined where nothing is to be told anew */
  look({ failure, at, isFiring }: FailureLook): readonly AlertCondition[] | undefined {
    const isAsTold = (failure !== undefined) === isFiring
    this.changedAt = isAsTold ? undefined : (this.changedAt ?? at)
    if (this.changedAt === undefined || at - this.changedAt < LASTING_MS) return undefined
    return failure === undefined ? [] : [failure]
  }
}
