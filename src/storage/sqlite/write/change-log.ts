import { randomUUID } from 'node:crypto'
import type { StoredCollection } from '../files/catalog.ts'
import type { ChangeMark } from '../protocol/requests.ts'

/** Collections whose changes are noted at once; the one that was asked for longest ago goes first. */
const WATCHED_COLLECTIONS = 32

/**
 * Which documents have changed since a moment, for writes whose documents a reader looks for meanwhile. Only
 * collections that were marked of late are watched. It may name more documents than have changed, as those of a write
 * that was undone, and never fewer: where it can't say, it says so. New documents need not be noted, for they stand
 * behind all others.
 */
export class ChangeLogs {
  private readonly logs = new Map<string, ChangeLog>()
  private readonly keptChanges: number
  private readonly lastsMs: number

  /**
   * @param keptChanges changes of one collection that are kept at least, of 8 bytes each
   * @param lastsMs how long a mark is good for
   */
  constructor({ keptChanges, lastsMs }: { keptChanges: number; lastsMs: number }) {
    this.keptChanges = keptChanges
    this.lastsMs = lastsMs
  }

  /** The log of a collection that is watched. */
  of(app: string, collection: StoredCollection): ChangeLog | undefined {
    if (this.logs.size === 0) return undefined
    const key = keyOf(app, collection)
    const log = this.logs.get(key)
    if (log === undefined || log.until >= performance.now()) return log
    this.logs.delete(key)
    return undefined
  }

  /** Watches a collection from here on. What the group at work has done before is not noted, nor need it be. */
  mark(app: string, collection: StoredCollection): ChangeMark {
    const key = keyOf(app, collection)
    const log = this.of(app, collection) ?? new ChangeLog(this.keptChanges)
    log.until = performance.now() + this.lastsMs
    this.logs.delete(key)
    this.logs.set(key, log)
    if (this.logs.size > WATCHED_COLLECTIONS) this.logs.delete(this.logs.keys().next().value!)
    return log.mark()
  }

  /**
   * Makes every mark of a collection worthless: where it is not known which documents have changed, or where readers that look
   * for its documents by its name may meet those of another one.
   */
  forget(app: string, collection: StoredCollection): void {
    this.logs.delete(keyOf(app, collection))
  }
}

/** The changes of one collection since it is watched. */
export class ChangeLog {
  /** When the last mark ends, in milliseconds of `performance.now()`. */
  until = 0
  private readonly name = randomUUID()
  private readonly keptChanges: number
  private rowIds: number[] = []
  /** How many changes came before those that are kept. */
  private dropped = 0

  constructor(keptChanges: number) {
    this.keptChanges = keptChanges
  }

  note(rowId: number): void {
    this.rowIds.push(rowId)
    if (this.rowIds.length < 2 * this.keptChanges) return
    this.rowIds = this.rowIds.slice(this.keptChanges)
    this.dropped += this.keptChanges
  }

  mark(): ChangeMark {
    return { log: this.name, at: this.dropped + this.rowIds.length }
  }

  /** The row ids of all documents that have changed since, or undefined where that is not known. */
  since({ log, at }: ChangeMark): ReadonlySet<number> | undefined {
    if (log !== this.name || at < this.dropped) return undefined
    return new Set(this.rowIds.slice(at - this.dropped))
  }
}

function keyOf(app: string, { id }: StoredCollection): string {
  return `${app}/${id}`
}
