/**
 * Milliseconds of a clock that is never set back and the same on all threads of the process, whose `performance.now()`
 * begin when each of them does.
 */
export function createClock(): () => number {
  const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now()
  return () => performance.now() + offset
}
