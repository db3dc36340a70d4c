import type { CollectionBytes } from '../analytics/pack.ts'
import type { DatabaseState } from '../storage/sqlite/files/measure-storage.ts'

const TIDY_MS = 60 * 60 * 1000
/** The least time from one round to the next, where something was measured and where nothing was, and how many times as long as it took. */
const MEASURE_MS = 10 * 60 * 1000
const LOOK_MS = 60 * 1000
const MEASURE_SHARE = 600
/** A start has better things to do. */
const FIRST_MS = 60 * 1000
/** Apps that are measured in one go, and in one round. */
const AT_ONCE = 20
const MOST_IN_ROUND = 1000

interface UpkeepParts {
  /** Removes what of traffic is kept no more. */
  readonly tidy: () => Promise<void>
  /** The ids of all apps. */
  readonly listApps: () => Promise<readonly string[]>
  /** Of the file of an app. */
  readonly stateOf: (app: string) => Promise<DatabaseState>
  /** The start of the hour in which an app was measured last, in seconds since the Unix epoch; undefined where it wasn't. */
  readonly measuredAt: (app: string) => Promise<number | undefined>
  /** How much the collections of apps take. */
  readonly measure: (apps: readonly string[]) => Promise<ReadonlyMap<string, readonly CollectionBytes[]>>
  readonly noteStorage: (measured: ReadonlyMap<string, readonly CollectionBytes[]>) => Promise<void>
  /** Milliseconds of a clock that no one sets. */
  readonly now: () => number
}

/** What is done about traffic beside storing it: what is old goes, and what apps hold is measured, whoever wrote it. */
export class TrafficUpkeep {
  private readonly parts: UpkeepParts
  private nextTidyAt: number
  private nextMeasureAt: number
  /** What the files of apps were like when they were measured, by their ids, the one measured last at the end. */
  private readonly marks = new Map<string, string>()
  private isLooking = false

  constructor(parts: UpkeepParts) {
    this.parts = parts
    this.nextTidyAt = parts.now() + FIRST_MS
    this.nextMeasureAt = this.nextTidyAt
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
    const { now } = this.parts
    const began = now()
    if (began < this.nextMeasureAt) return
    let leastMs = MEASURE_MS
    try {
      const changed = await this.findChanged()
      if (changed.length === 0) leastMs = LOOK_MS
      for (let start = 0; start < changed.length; start += AT_ONCE)
        await this.measure(changed.slice(start, start + AT_ONCE))
    } finally {
      this.nextMeasureAt = now() + Math.max(leastMs, MEASURE_SHARE * (now() - began))
    }
  }

  /**
   * What is written in the meantime is measured the next time, for the marks are from before; what can't be measured, as soon as
   * it is written to, so that others get their turn.
   */
  private async measure(changed: readonly Changed[]): Promise<void> {
    const { measure, noteStorage } = this.parts
    for (const { app, mark } of changed) this.note(app, mark)
    await noteStorage(await measure(changed.map(({ app }) => app)))
  }

  /** Those that were never looked at first, and then those that were measured longest ago. */
  private async findChanged(): Promise<Changed[]> {
    const { listApps, stateOf, measuredAt } = this.parts
    const apps = new Set(await listApps())
    for (const app of this.marks.keys()) if (!apps.has(app)) this.marks.delete(app)
    const changed: Changed[] = []
    for (const app of [...apps.difference(this.marks), ...this.marks.keys()]) {
      const { mark, changedAt } = await stateOf(app)
      const known = this.marks.get(app)
      if (mark === '' || mark === known) continue
      const before = known === undefined ? await measuredAt(app) : undefined
      if (before !== undefined && changedAt < before * 1000) this.note(app, mark)
      else if (changed.push({ app, mark }) >= MOST_IN_ROUND) break
    }
    return changed
  }

  private note(app: string, mark: string): void {
    this.marks.delete(app)
    this.marks.set(app, mark)
  }
}

interface Changed {
  readonly app: string
  readonly mark: string
}
