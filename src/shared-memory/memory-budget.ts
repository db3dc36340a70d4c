import { type CountMemory, SharedCount } from './count.ts'

/** What may be taken beyond which a taker counts as large: a share of the budget, in bytes at most. */
const SMALL_SHARE = 1 / 64
const SMALL_BYTES = 4 * 1024 * 1024
/** What large takers leave to small ones. */
const KEPT_BACK = 1 / 6

/** A budget as it travels from one thread to another. */
export interface SharedMemory {
  readonly bytes: number
  readonly held: CountMemory
}

/** Shares a new budget of so many bytes among threads. */
export function createSharedMemory(bytes: number): SharedMemory {
  return { bytes, held: new SharedCount().memory }
}

/**
 * The memory that all threads together may use for what clients have under way: bodies, answers that nobody has read,
 * connections. Whoever needs more than some kilobytes, for longer than a turn of the event loop, takes it here first and
 * gives it back when it is done: `begin()`, `take()`, `release()`. Where there is no room, the client gets 503 and can try
 * again. What is taken is an estimate by measurement, of all copies that are made of something and of the garbage that
 * they leave until it is collected.
 *
 * A sixth is kept for those who take little, so that a few large ones don't stand in everybody's way.
 */
export class MemoryBudget {
  readonly bytes: number
  private readonly held: SharedCount
  private readonly small: number

  constructor({ bytes, held }: SharedMemory) {
    this.bytes = bytes
    this.held = new SharedCount(held)
    this.small = Math.min(SMALL_BYTES, bytes * SMALL_SHARE)
  }

  /** Bytes that are held now, by all. */
  get heldBytes(): number {
    return this.held.value
  }

  /** What one taker holds. To begin costs next to nothing; only what was taken has to be released. */
  begin(): HeldMemory {
    return new HeldMemory(this)
  }

  /**
   * Takes some bytes; answers false, and takes nothing, where there is no room. Costs about 100 ns.
   * @param own what the same taker holds already
   */
  take(bytes: number, own = 0): boolean {
    const isLarge = own + bytes > this.small
    return this.held.addUpTo(isLarge ? this.bytes * (1 - KEPT_BACK) : this.bytes, bytes)
  }

  /** Whether a large taker would find room now. */
  hasRoom(bytes: number): boolean {
    return this.held.value + bytes <= this.bytes * (1 - KEPT_BACK)
  }

  give(bytes: number): void {
    this.held.add(-bytes)
  }
}

/** What one taker holds of a budget. */
export class HeldMemory {
  private readonly budget: MemoryBudget
  private bytes = 0

  constructor(budget: MemoryBudget) {
    this.budget = budget
  }

  /** Takes so many bytes more; answers false, and takes nothing, where there is no room. */
  take(bytes: number): boolean {
    if (!this.budget.take(bytes, this.bytes)) return false
    this.bytes += bytes
    return true
  }

  /** Gives all of it back; may be called again. */
  release(): void {
    if (this.bytes > 0) this.budget.give(this.bytes)
    this.bytes = 0
  }
}

/** For whoever is given no budget: one without a bound. */
export function unboundedMemory(): SharedMemory {
  return createSharedMemory(Number.MAX_SAFE_INTEGER)
}
