import { AppError, withoutStack } from '../../../errors.ts'
import { monotonicMs } from '../protocol/monotonic.ts'

/** For how long apps and keys that were read are good while they can't be read anew. */
export const DIRECTORY_GOOD_MS = 5000
/** So that 32 bits are enough for years. */
const TICK_MS = 100

/**
 * When the apps and keys were last known to be what the control file says, for all threads of the process. What is older
 * is no reason to let anybody in: a key that was revoked since would work on.
 */
export class DirectoryAge {
  readonly cell: Int32Array<SharedArrayBuffer>
  private readonly now: () => number

  /** @param now milliseconds of a clock that all threads share */
  constructor(cell = new Int32Array(new SharedArrayBuffer(4)), now = monotonicMs) {
    this.cell = cell
    this.now = now
  }

  noteRead(): void {
    Atomics.store(this.cell, 0, this.ticks())
  }

  isTooOld(): boolean {
    return this.ticks() - Atomics.load(this.cell, 0) > DIRECTORY_GOOD_MS / TICK_MS
  }

  /** @throws AppError `store_unavailable` */
  check(): void {
    if (this.isTooOld()) throw withoutStack(tooOld)
  }

  private ticks(): number {
    return Math.floor(this.now() / TICK_MS)
  }
}

/** Without a cause, for the log has it once already. */
function tooOld(): AppError {
  return new AppError(
    'store_unavailable',
    "the apps and keys can't be read at this time, so that no credentials can be checked; try again later",
  )
}
