import type { CollectionBytes } from '../analytics/pack.ts'
import type { TrafficDelta } from '../analytics/traffic-delta.ts'

const TIDY_MS = 60 * 60 * 1000
/** The least time between two measurements, and how many times as long as the last one took. */
const MEASURE_MS = 10 * 60 * 1000
const MEASURE_SHARE = 600
/** A start has better things to do. */
const FIRST_MS = 60 * 1000
/** Apps that are measured in one go. */
const AT_ONCE = 20

interface UpkeepParts {
  /** Removes what of traffic is kept no more. */
  readonly tidy: () => Promise<void>
  /** How much the collections of apps take. */
  readonly measure: (apps: readonly string[]) => Promise<ReadonlyMap<string, readonly CollectionBytes[]>>
  readonly noteStorage: (measured: ReadonlyMap<string, readonly CollectionBytes[]>) => Promise<void>
  /** Milliseconds of a clock that no one sets. */
  readonly now: () => number
}

/** What is done about traffic beside storing it: what is old goes, and what apps hold is measured. */
export class TrafficUpkeep {
  private readonly parts: UpkeepParts
  private nextTidyAt: number
  private nextMeasureAt: number
  /** Apps that were written to since they were measured, or were not measured since the start. */
  private readonly changed = new Set<string>()
  private readonly known = new Set<string>()
  private isLooking = false

  constructor(parts: UpkeepParts) {
    this.parts = parts
    this.nextTidyAt = parts.now() + FIRST_MS
    this.nextMeasureAt = this.nextTidyAt
  }

  /** What was stored just now. */
  noteTraffic({ minutes }: TrafficDelta): void {
    for (const { app, totals } of minutes) {
      if (totals.written > 0 || !this.known.has(app)) this.changed.add(app)
      this.known.add(app)
    }
  }

  /** Does what it is time for. */
  async look(): Promise<void> {
    if (this.isLooking) return
    this.isLooking = true
    try {
      await this.tidyWhenDue()
      await this.measureWhenDue()
    } finally {
      this.isLooking = false
    }
  }

  private async tidyWhenDue(): Promise<void> {
    const { tidy, now } = this.parts
    if (now() < this.nextTidyAt) return
    this.nextTidyAt = now() + TIDY_MS
    await tidy()
  }

  private async measureWhenDue(): Promise<void> {
    const { measure, noteStorage, now } = this.parts
    if (this.changed.size === 0 || now() < this.nextMeasureAt) return
    const began = now()
    // What is written from here on is measured the next time.
    const apps = [...this.changed].filter((app) => app !== '')
    this.changed.clear()
    try {
      for (let start = 0; start < apps.length; start += AT_ONCE)
        await noteStorage(await measure(apps.slice(start, start + AT_ONCE)))
    } finally {
      this.nextMeasureAt = now() + Math.max(MEASURE_MS, MEASURE_SHARE * (now() - began))
    }
  }
}
