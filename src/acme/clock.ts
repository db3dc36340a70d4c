import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, as arguments, so that tests need neither. */
export interface Clock {
  now(): number
  /** From 0 up to 1. */
  random(): number
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export const SYSTEM_CLOCK: Clock = Object.freeze({
  now: Date.now,
  random: Math.random,
  // A certificate that is due in a month keeps no process alive.
  wait: (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }),
})
