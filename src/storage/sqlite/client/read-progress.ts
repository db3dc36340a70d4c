import { AppError } from '../../../errors.ts'
import type { ReadPlan, ReadReport } from '../../store.ts'

/** Adds up what a read cost. */
export class ReadWatch {
  private readonly onReport: ((report: ReadReport) => void) | undefined
  private readonly since = performance.now()
  private plan: ReadPlan | undefined
  private examined = 0
  private returned = 0

  constructor(onReport: ((report: ReadReport) => void) | undefined) {
    this.onReport = onReport
  }

  add(plan: ReadPlan | undefined, returned: number): void {
    this.plan ??= plan
    this.examined += plan?.examined ?? 0
    this.returned += returned
  }

  /** Found so far. */
  get documents(): number {
    return this.returned
  }

  /** Also of a read that was given up: what it has cost by then is no less. Nothing is known before its first chunk. */
  report(): void {
    if (this.plan === undefined) return
    const plan = { ...this.plan, examined: this.examined }
    this.onReport?.({ plan, returned: this.returned, milliseconds: this.milliseconds() })
  }

  /** Since it began. */
  milliseconds(): number {
    return performance.now() - this.since
  }
}

/** How often it is looked whether anybody waits for what a thread does in one go. */
const LOOKED_EVERY_MS = 50

/** The time that a read may still take without anything to show for it. */
export class TimeBudget {
  private readonly deadlineMs: number
  private readonly isCancelled: (() => boolean) | undefined
  private since = performance.now()

  constructor(deadlineMs: number, isCancelled: (() => boolean) | undefined) {
    this.deadlineMs = deadlineMs
    this.isCancelled = isCancelled
  }

  /** Documents were found and sent, so the time begins anew: a large export to a slow client is no endless search. */
  renew(): void {
    this.since = performance.now()
  }

  /**
   * Waits for a thread that does something in one go, and lets it end where nobody waits for the answer any more.
   * @param begin is given where the thread has to look for that
   */
  async watched<Result>(
    begin: (cancelled: Int32Array<SharedArrayBuffer>) => Promise<Result>,
  ): Promise<Result> {
    const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const timer = setInterval(() => {
      if (this.isCancelled?.() === true) Atomics.store(cancelled, 0, 1)
    }, LOOKED_EVERY_MS)
    try {
      return await begin(cancelled)
    } finally {
      clearInterval(timer)
    }
  }

  /** Milliseconds. @throws AppError `deadline_exceeded`, also where nobody waits for the answer any more */
  left(): number {
    const left = this.since + this.deadlineMs - performance.now()
    if (left > 0 && this.isCancelled?.() !== true) return left
    throw new AppError(
      'deadline_exceeded',
      'the query took too long; narrow it, or page through it with sk and l',
    )
  }
}
