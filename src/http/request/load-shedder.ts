import { AppError } from '../../errors.ts'

/** How often the delay of the event loop is sampled. */
const SAMPLE_MS = 100
/** What the newest delay counts for in the average: an average of about the last second. */
const NEWEST_SHARE = 0.2

export interface LoadShedderOptions {
  readonly openRequests: number
  readonly eventLoopDelayMs: number
  /** How many requests are open now, on all threads. */
  readonly open: () => number
  readonly warn: (message: string) => void
}

/**
 * Tells when more has been asked for than can be answered soon. Turning requests away at once, while that is cheap,
 * keeps the time short for those that are taken; the average falls within a second when the work is done.
 */
export class LoadShedder {
  private readonly options: LoadShedderOptions
  private readonly timer: NodeJS.Timeout
  private sampledAt = performance.now()
  private delayMs = 0

  constructor(options: LoadShedderOptions) {
    this.options = options
    this.timer = setInterval(() => this.sample(performance.now()), SAMPLE_MS).unref()
  }

  /** How late the event loop runs, over about the last second. */
  get eventLoopDelayMs(): number {
    return this.delayMs
  }

  isOverloaded(): boolean {
    const { eventLoopDelayMs, openRequests, open, warn } = this.options
    if (this.delayMs > eventLoopDelayMs) {
      warn(`requests are turned away: the thread that serves them runs ${Math.round(this.delayMs)} ms late`)
      return true
    }
    if (open() <= openRequests) return false
    warn(`requests are turned away: ${openRequests} are open, as many as are allowed`)
    return true
  }

  /** Takes the time that a sample came late into the average; called by the timer. */
  sample(now: number): void {
    const late = Math.max(0, now - this.sampledAt - SAMPLE_MS)
    this.sampledAt = now
    this.delayMs += (late - this.delayMs) * NEWEST_SHARE
  }

  close(): void {
    clearInterval(this.timer)
  }
}

export function overloaded(): AppError {
  return new AppError('overloaded', 'the server has too much to do at this moment; try again soon')
}
