import type { ReadVersions, SeqlockTable } from '../protocol/seqlock-table.ts'

interface Kept<Value> {
  readonly value: Value
  readonly size: number
  readonly version: ReadVersions
}

export interface CacheBounds {
  /** Of all values together, in whatever their sizes are counted. */
  readonly size: number
  readonly values: number
}

/**
 * Values that were read, by their keys, for as long as what they depend on has not changed. What no longer holds goes
 * when it is asked for, or when there is no room; the oldest goes first.
 */
export class VersionedCache<Value> {
  private readonly versions: SeqlockTable
  private readonly bounds: CacheBounds
  private readonly kept = new Map<string, Kept<Value>>()
  private size = 0

  constructor(versions: SeqlockTable, bounds: CacheBounds) {
    this.versions = versions
    this.bounds = bounds
  }

  get(key: string): Value | undefined {
    const entry = this.kept.get(key)
    if (entry === undefined) return undefined
    if (this.versions.isCurrent(entry.version)) return entry.value
    this.forget(key, entry)
    return undefined
  }

  /** @param version taken before the value was asked of anybody */
  keep(key: string, entry: Kept<Value>): void {
    if (!this.versions.isCurrent(entry.version)) return
    const old = this.kept.get(key)
    if (old !== undefined) this.forget(key, old)
    this.kept.set(key, entry)
    this.size += entry.size
    for (const [oldest, { size }] of this.kept) {
      if (this.size <= this.bounds.size && this.kept.size <= this.bounds.values) break
      this.forget(oldest, { size })
    }
  }

  /** Forgets what has a key for which `isOver` is true. */
  forgetWhere(isOver: (key: string) => boolean): void {
    for (const [key, entry] of this.kept) if (isOver(key)) this.forget(key, entry)
  }

  private forget(key: string, { size }: Pick<Kept<Value>, 'size'>): void {
    this.kept.delete(key)
    this.size -= size
  }
}
