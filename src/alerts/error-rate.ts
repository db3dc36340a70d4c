import type { AlertCondition } from '../domain/alerts.ts'

/** What was answered since the start. */
interface AnsweredRequests {
  readonly requests: number
  /** With a status of 500 or above. */
  readonly failed: number
}

interface Sample extends AnsweredRequests {
  /** Milliseconds of a clock that is never set back. */
  readonly at: number
}

export const ERROR_RATE_SUBJECT = 'requests'
const WINDOW_MS = 5 * 60 * 1000
const LEAST_REQUESTS = 100

/** How many of the requests of the last five minutes failed. */
export class ErrorRate {
  private readonly percent: number
  private samples: readonly Sample[]

  /** @param percent of the requests, from which on it is told @param at see `Sample` */
  constructor(percent: number, at: number) {
    this.percent = percent
    this.samples = [{ requests: 0, failed: 0, at }]
  }

  /**
   * Takes what was answered by now. It is told from so many percent of 100 requests on, until it is half of that.
   * @param isFiring whether it is told of already
   * @returns undefined where it can't be known yet whether it goes on
   */
  look(answered: AnsweredRequests, at: number, isFiring: boolean): readonly AlertCondition[] | undefined {
    const next = this.samples.findIndex((sample) => at - sample.at < WINDOW_MS)
    // The newest of those that are old enough is where the window begins.
    const first = next === -1 ? this.samples.length - 1 : Math.max(0, next - 1)
    this.samples = [...this.samples.slice(first), { ...answered, at }]
    const since = this.samples[0]!
    const requests = answered.requests - since.requests
    const failed = answered.failed - since.failed
    const rate = requests === 0 ? 0 : (100 * failed) / requests
    const isWrong = isFiring
      ? failed > 0 && rate >= this.percent / 2
      : requests >= LEAST_REQUESTS && rate >= this.percent
    if (isFiring && !isWrong && at - since.at < WINDOW_MS) return undefined
    const message = `${failed} of the ${requests} requests of the last 5 minutes failed (${rate.toFixed(1)} %), with a status of 500 or above`
    return isWrong ? [{ subject: ERROR_RATE_SUBJECT, message }] : []
  }
}
