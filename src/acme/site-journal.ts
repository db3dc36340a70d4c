import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CertificateLog } from '../certificates/load-or-create-certificate.ts'
import { writeFileAtomically } from '../certificates/write-file-atomically.ts'
import { isRecord } from './acme-error.ts'
import { ACME_LIMITS, DAY_MS, HOUR_MS } from './acme-limits.ts'
import type { Clock } from './clock.ts'
import { recentTimes, windowEnds } from './renewal-schedule.ts'

/** What all sites together have asked of an authority. Times are in milliseconds; the newest is last. */
interface Asked {
  /** When new certificates came, by what the authority counts them by. */
  readonly issued: Readonly<Record<string, readonly number[]>>
  /** When orders ended, well or not. */
  readonly orders: readonly number[]
  readonly failed: readonly number[]
  /** Until when the authority wants to be left alone. */
  readonly pausedUntil: number
  /** Before which no new certificate is ordered of anybody. */
  readonly newFrom: number
}

const WEEK_MS = 7 * DAY_MS
const NOTHING: Asked = Object.freeze({ issued: {}, orders: [], failed: [], pausedUntil: 0, newFrom: 0 })

/** Holds the sites together to what one account may ask of an authority, over restarts. */
export class SiteJournal {
  private readonly path: string
  private readonly clock: Clock
  private readonly log: CertificateLog
  private asked: Asked | undefined

  /** @param path of its file */
  constructor({ path, clock, log }: { path: string; clock: Clock; log: CertificateLog }) {
    this.path = path
    this.clock = clock
    this.log = log
  }

  /** When the next order may be placed, for whichever host; a time that has passed where it may be at once. */
  nextOrderAt(): number {
    const now = this.clock.now()
    const { orders, failed, pausedUntil } = this.read()
    const window = { windowMs: HOUR_MS, now }
    return Math.max(
      Math.min(pausedUntil, now + ACME_LIMITS.longestSitePauseMs),
      windowEnds(orders, { most: ACME_LIMITS.siteOrdersPerHour, ...window }),
      windowEnds(failed, { most: ACME_LIMITS.failedSiteOrdersPerHour, ...window }),
    )
  }

  /** The same for a certificate that is none's renewal. */
  nextNewAt(group: string): number {
    const { issued, newFrom } = this.read()
    const most = ACME_LIMITS.newCertificatesPerWeek
    return Math.max(
      newFrom,
      windowEnds(issued[group] ?? [], { most, windowMs: WEEK_MS, now: this.clock.now() }),
    )
  }

  /** @param group of a new certificate; undefined of a renewal */
  noteIssued(group: string | undefined): void {
    const now = this.clock.now()
    const { issued, ...asked } = this.read()
    const recent = Object.entries(issued)
      .map(([of, times]) => [of, recentTimes(times, WEEK_MS, now)] as const)
      .filter(([, times]) => times.length > 0)
    const groups = Object.fromEntries(recent)
    const added = group === undefined ? {} : { [group]: [...(groups[group] ?? []), now] }
    this.save({ ...asked, issued: { ...groups, ...added }, orders: this.lastHour(asked.orders, now) })
  }

  /** @param retryAfterMs how long the authority wants to be left alone; 0 where it did not say */
  noteFailed(retryAfterMs: number): void {
    const now = this.clock.now()
    const { orders, failed, ...asked } = this.read()
    const pauseMs = Math.min(retryAfterMs, ACME_LIMITS.longestSitePauseMs)
    const times = { orders: this.lastHour(orders, now), failed: this.lastHour(failed, now) }
    this.save({ ...asked, ...times, pausedUntil: Math.max(asked.pausedUntil, now + pauseMs) })
    if (this.nextOrderAt() > now)
      this.log.warn(
        `no certificates of sites are ordered until ${new Date(this.nextOrderAt()).toISOString()}: ` +
          (pauseMs > 0 ? 'the authority asks to be left alone' : 'too many orders failed in an hour'),
      )
  }

  private lastHour(times: readonly number[], now: number): number[] {
    return [...recentTimes(times, HOUR_MS, now), now]
  }

  private save(asked: Asked): void {
    this.asked = asked
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    writeFileAtomically(this.path, `${JSON.stringify(asked)}\n`)
  }

  /** Where it can't be read, as much may have come in the last week as an authority gives. */
  private read(): Asked {
    if (this.asked !== undefined) return this.asked
    try {
      this.asked = askedFrom(JSON.parse(readFileSync(this.path, 'utf8')))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') this.asked = NOTHING
      else this.asked = this.begunAnew(error)
    }
    return this.asked
  }

  private begunAnew(error: unknown): Asked {
    const asked = { ...NOTHING, newFrom: this.clock.now() + WEEK_MS }
    this.log.warn(
      `${this.path} can't be used: ${(error as Error).message}; no new certificates of sites are ordered until ` +
        `${new Date(asked.newFrom).toISOString()}, for as many may have come; where you know that they have not, remove the file and start anew`,
    )
    try {
      renameSync(this.path, `${this.path}.damaged`)
      this.save(asked)
    } catch {
      // It holds until the server ends, and is said again by the next start.
    }
    return asked
  }
}

function askedFrom(value: unknown): Asked {
  if (!isRecord(value) || !isRecord(value.issued)) throw new Error('it has no certificates by their names')
  const { issued, orders, failed, pausedUntil, newFrom } = value
  if (![...Object.values(issued), orders, failed].every(isTimes)) throw new Error('it has no lists of times')
  if (typeof pausedUntil !== 'number' || typeof newFrom !== 'number') throw new Error('it has no times')
  return value as unknown as Asked
}

function isTimes(value: unknown): boolean {
  return Array.isArray(value) && value.every((time) => typeof time === 'number')
}
