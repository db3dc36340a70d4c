const FREE = 0
const HELD = 1
/** Held, and somebody may be asleep until it is free. */
const AWAITED = 2

/** One cell of memory that threads share; it begins as zero, which is free. */
export type LockCell = Int32Array<SharedArrayBuffer>

/**
 * Does something that no other thread does at the same time. It has to be short and may not wait for anything: threads
 * that want the lock meanwhile stand still. A free lock costs two atomic operations. After Drepper, "Futexes Are
 * Tricky", mutex 2.
 */
export function locked<Result>(cell: LockCell, work: () => Result): Result {
  if (Atomics.compareExchange(cell, 0, FREE, HELD) !== FREE) waitFor(cell)
  try {
    return work()
  } finally {
    if (Atomics.exchange(cell, 0, FREE) === AWAITED) Atomics.notify(cell, 0, 1)
  }
}

function waitFor(cell: LockCell): void {
  // Whoever slept doesn't know whether it was the last one, so it takes the lock as one that is awaited.
  while (Atomics.exchange(cell, 0, AWAITED) !== FREE) Atomics.wait(cell, 0, AWAITED)
}
