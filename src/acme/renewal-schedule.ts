import type { Journal } from './acme-folder.ts'
import { ACME_LIMITS, DAY_MS, HOUR_MS } from './acme-limits.ts'

/**
 * When two thirds of a certificate's life are over. By a clock that is wrong it may never look new; so at least a
 * third of its life has to pass since it came, by the same clock.
 */
export function renewalAt(life: { validFrom: number; validTo: number; keptAt: number }): number {
  const lifetime = life.validTo - life.validFrom
  return Math.max(life.validFrom + (lifetime * 2) / 3, life.keptAt + lifetime / 3)
}

/** When the next order may be placed, by the limits; `now` where it may be placed at once. */
export function nextOrderAt({ orders, lost }: Journal, now: number): number {
  const ordered = windowEnds(orders, { most: ACME_LIMITS.ordersPerHour, windowMs: HOUR_MS, now })
  const asked = windowEnds(lost, { most: ACME_LIMITS.lostCertificatesPerWeek, windowMs: 7 * DAY_MS, now })
  return Math.max(now, ordered, asked)
}

/** How long to wait after so many failures in a row: twice as long each time, and up to a tenth longer by chance. */
export function retryMs(failures: number, random: number): number {
  const doubled = ACME_LIMITS.firstRetryMs * 2 ** Math.min(failures - 1, 30)
  return Math.min(ACME_LIMITS.longestRetryMs, doubled) * (1 + random / 10)
}

/** The times of a list that still count; one from the future is of a clock that was wrong. */
export function recentTimes(times: readonly number[], windowMs: number, now: number): number[] {
  return times.filter((time) => time > now - windowMs && time <= now)
}

/** When another one fits among the times of a window; `now` where it does at once. */
export function windowEnds(
  times: readonly number[],
  { most, windowMs, now }: { most: number; windowMs: number; now: number },
): number {
  const recent = recentTimes(times, windowMs, now)
  return recent.length < most ? now : recent.at(-most)! + windowMs
}
