import { AppError } from '../../errors.ts'
import type { SharedCount } from '../../shared-memory/count.ts'
import type { RequestTrace } from './request-trace.ts'

/** Bodies up to this length may take the last quarter of the budget, which large ones leave to them. */
const SMALL_BYTES = 1024 * 1024

/** A body that is being received. */
export interface Arrival {
  /** Bytes that have come since the last look. */
  fresh: number
  /** Ends the wait for the rest. */
  readonly giveUp: (error: AppError) => void
  /** Whether it was there at the last look. */
  seen: boolean
}

export interface BodyMemoryLimitOptions {
  readonly heldBodyBytes: number
  readonly bodyBytes: number
  /** What a body has to bring, on average of each look. */
  readonly bytesPerSecond: number
  readonly lookMs: number
  /** Bytes that are held now, by all threads that are given the same. */
  readonly held: SharedCount
}

/**
 * The memory that all bodies of open requests take together, and the pace at which they have to come. A slow client
 * holds no more than a share, and not for long.
 */
export class BodyMemoryLimit {
  private readonly bytes: number
  private readonly leastFresh: number
  private readonly arrivals = new Set<Arrival>()
  private readonly timer: NodeJS.Timeout
  private readonly held: SharedCount

  constructor({ heldBodyBytes, bodyBytes, bytesPerSecond, lookMs, held }: BodyMemoryLimitOptions) {
    this.held = held
    this.bytes = Math.max(heldBodyBytes, bodyBytes)
    this.leastFresh = (bytesPerSecond * lookMs) / 1000
    this.timer = setInterval(() => this.look(), lookMs).unref()
  }

  /**
   * Takes more memory for a request's body, before it is used.
   * @throws AppError `overloaded`
   */
  take(trace: RequestTrace, bytes: number): void {
    const isLarge = trace.heldBytes + bytes > SMALL_BYTES
    const bound = isLarge ? this.bytes - this.bytes / 4 : this.bytes
    // What nobody else's body stands in the way of always has room.
    if (!this.held.addUpTo(Math.max(bound, trace.heldBytes + bytes), bytes)) throw bodiesHeld()
    trace.heldBytes += bytes
  }

  /** Gives back what a request has taken. */
  release(trace: RequestTrace): void {
    if (trace.heldBytes > 0) this.held.add(-trace.heldBytes)
    trace.heldBytes = 0
  }

  watch(arrival: Arrival): void {
    this.arrivals.add(arrival)
  }

  /** How many bodies are on their way. */
  get watched(): number {
    return this.arrivals.size
  }

  unwatch(arrival: Arrival): void {
    this.arrivals.delete(arrival)
  }

  close(): void {
    clearInterval(this.timer)
  }

  private look(): void {
    for (const arrival of this.arrivals) {
      if (arrival.seen && arrival.fresh < this.leastFresh) arrival.giveUp(tooSlow())
      arrival.seen = true
      arrival.fresh = 0
    }
  }
}

function bodiesHeld(): AppError {
  return new AppError('overloaded', 'too many large bodies are being received at once; try again in a moment')
}

function tooSlow(): AppError {
  return new AppError('invalid_request', 'the body comes too slowly; send it in one go')
}
