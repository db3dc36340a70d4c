import type { Log } from './log.ts'

const SILENCE_MS = 60_000

/** Warns of something that may happen thousands of times a second, once a minute at most. */
export function rareWarning(log: Pick<Log, 'warn'>): (message: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return (message) => {
    const now = performance.now()
    if (now - saidAt < SILENCE_MS) return
    saidAt = now
    log.warn(message)
  }
}
