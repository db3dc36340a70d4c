import type { ReadVersions, SeqlockTable } from '../protocol/seqlock-table.ts'

/** What an entry takes beside its value: its key, its versions, its place in the map. By measurement. */
const ENTRY_BYTES = 400
/** Of the values that were read where there is no room, one in so many takes that of others. */
const ADMITTED = 16

interface Entry<Value> {
  readonly value: Value
  /** Of the value alone. */
  readonly bytes: number
  readonly version: ReadVersions
}

interface Cached<Value> extends Entry<Value> {
  /** Whether it was asked for since it was kept or passed over last. */
  isUsed: boolean
}

/**
 * Values that were read, by their keys, for as long as what they depend on has not changed, as many as there is room
 * for. Those that no longer hold go when they are asked for, or when there is no room; then the oldest that was not asked
 * for lately goes first (second chance).
 */
export class VersionedCache<Value> {
  private readonly versions: SeqlockTable
  private readonly mostBytes: number
  private readonly cached = new Map<string, Cached<Value>>()
  private bytes = 0
  private refused = 0

  /** @param mostBytes of all values together, with what each takes beside */
  constructor(versions: SeqlockTable, mostBytes: number) {
    this.versions = versions
    this.mostBytes = mostBytes
  }

  get(key: string): Value | undefined {
    const entry = this.cached.get(key)
    if (entry === undefined) return undefined
    if (this.versions.isCurrent(entry.version)) {
      entry.isUsed = true
      return entry.value
    }
    this.delete(key, entry)
    return undefined
  }

  /**
   * Whether a value that is about to be read shall be kept: always while there is room, and else seldom, so that reads
   * that come once push nothing out, and cost nothing, while what is asked for often comes in all the same.
   */
  admits(): boolean {
    if (this.bytes < this.mostBytes - this.mostBytes / 64) return true
    this.refused = (this.refused + 1) % ADMITTED
    return this.refused === 0
  }

  /** @param entry with the version from before the value was asked of anybody */
  set(key: string, entry: Entry<Value>): void {
    if (!this.versions.isCurrent(entry.version)) return
    const old = this.cached.get(key)
    if (old !== undefined) this.delete(key, old)
    const { value, bytes, version } = entry
    if (bytes + ENTRY_BYTES > this.mostBytes) return
    this.cached.set(key, { value, bytes, version, isUsed: false })
    this.bytes += bytes + ENTRY_BYTES
    if (this.bytes > this.mostBytes) this.evict()
  }

  /** Deletes what has a key for which `isOver` is true. */
  deleteWhere(isOver: (key: string) => boolean): void {
    for (const [key, entry] of this.cached) if (isOver(key)) this.delete(key, entry)
  }

  private evict(): void {
    // A map goes on to what is put at its end meanwhile: who was passed over once comes up again.
    for (const [key, entry] of this.cached) {
      if (this.bytes <= this.mostBytes) return
      if (entry.isUsed && this.versions.isCurrent(entry.version)) {
        entry.isUsed = false
        this.cached.delete(key)
        this.cached.set(key, entry)
      } else this.delete(key, entry)
    }
  }

  private delete(key: string, { bytes }: Pick<Entry<Value>, 'bytes'>): void {
    this.cached.delete(key)
    this.bytes -= bytes + ENTRY_BYTES
  }
}

/** Bytes that a text takes in memory: one for each unit where all of them are of Latin-1, else two. */
export function bytesOfText(text: string): number {
  return BEYOND_LATIN1.test(text) ? 2 * text.length : text.length
}

const BEYOND_LATIN1 = /[^\u0000-\u00ff]/
