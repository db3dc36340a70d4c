import type { Filter, SortField } from '../query/ast.ts'
import type { IndexUse, LedgerSnapshot, ShapeCost } from '../storage/read-ledger.ts'
import type { CollectionAddress, ReadReport } from '../storage/store.ts'
import { type QueryShape, shapeOf } from './query-shapes.ts'

/** Shapes that are kept, over all apps; beyond, the ones that cost least are forgotten. */
const SHAPES = 1000
/** Indexes whose uses are kept; beyond, the ones that were unused for longest are forgotten. */
const USES = 2000
/** What is forgotten at a time, so that looking for it is rare. */
const FORGOTTEN = 100

/**
 * What things cost, in documents looked at by a scan, so that neither the machine nor its load changes a decision.
 * How they were measured is in docs/decisions/015-automatic-indexes.md.
 */
export const COST = Object.freeze({
  /** A document found by an index. */
  found: 4,
  /** A document put into an index when that is built. */
  built: 18,
  /** An index kept up to date with one write of a document. */
  upkeep: 42,
})

export interface WatchedRead extends CollectionAddress {
  readonly filter: Filter
  readonly sort: readonly SortField[]
  /** Documents asked for at most; undefined where they are counted. */
  readonly limit: number | undefined
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number
  readonly report: ReadReport
}

/**
 * What reads cost by the shape of their queries, and what indexes were used for. It holds names of fields, and never
 * a value. In memory and bounded.
 */
export class ReadLedger {
  private readonly shapes = new Map<string, ShapeCost>()
  private readonly indexUses = new Map<string, IndexUse>()
  /** Documents written, of the collections that have a shape or an automatic index here. */
  private readonly writes = new Map<string, number>()
  private readonly now: () => number
  private readonly slowMs: number
  /** Rises with every change. */
  changes = 0

  /** @param slowMs reads that take longer are counted as slow */
  constructor({ now, slowMs }: { now: () => number; slowMs: number }) {
    this.now = now
    this.slowMs = slowMs
  }

  /** What is known of the read's shape, this read included. */
  note({ app, collection, filter, sort, limit, startedAt, report }: WatchedRead): ShapeCost {
    const { plan, returned, milliseconds } = report
    const shape = shapeOf(filter, sort)
    const entry = this.shapeEntry({ app, collection }, shape)
    entry.count++
    entry.examined += plan.examined
    entry.returned += returned
    entry.milliseconds += milliseconds
    entry.maxMilliseconds = Math.max(entry.maxMilliseconds, milliseconds)
    if (milliseconds >= this.slowMs) entry.slowCount++
    if (limit !== undefined && returned >= limit) entry.fullCount++
    entry.lastSeenAt = this.now()
    this.chargeUpkeep(entry)
    if (plan.kind === 'scan') entry.documents = Math.max(entry.documents, plan.examined)
    if (startedAt >= entry.countedFrom && (plan.kind === 'scan' || plan.kind === 'index'))
      entry.waste += Math.max(0, plan.examined - COST.found * returned)
    if (plan.index !== undefined) this.noteUse({ app, collection, name: plan.index }, plan.examined)
    this.changes++
    return entry
  }

  noteWrites({ app, collection }: CollectionAddress, documents: number): void {
    const key = keyOf(app, collection)
    const before = this.writes.get(key)
    if (before !== undefined) this.writes.set(key, before + documents)
  }

  /** From now on the index is one that the service made, and may drop. */
  adopt({ app, collection, name }: CollectionAddress & { name: string }, documents: number): void {
    const use = this.useEntry({ app, collection, name })
    if (use.automatic !== undefined) return
    const writesSeen = this.countedWrites({ app, collection })
    use.automatic = { documents, balance: COST.built * documents, writesSeen, idleSince: this.now() }
    this.changes++
  }

  forgetIndex({ app, collection, name }: CollectionAddress & { name: string }): void {
    this.indexUses.delete(keyOf(app, collection, name))
    this.changes++
  }

  /** Forgets what belongs to apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const map of [this.shapes, this.indexUses])
      for (const [key, { app }] of map) if (!apps.has(app)) map.delete(key)
    for (const key of this.writes.keys()) if (!apps.has(key.split('\0')[0]!)) this.writes.delete(key)
  }

  /** The automatic indexes, their balances up to date. */
  automaticUses(): IndexUse[] {
    const uses = [...this.indexUses.values()].filter(({ automatic }) => automatic !== undefined)
    for (const use of uses) this.settle(use)
    return uses
  }

  useOf({ app, collection, name }: CollectionAddress & { name: string }): IndexUse | undefined {
    return this.indexUses.get(keyOf(app, collection, name))
  }

  /** The shapes for which an index of this name was last decided on. */
  shapesFor({ app, collection, name }: CollectionAddress & { name: string }): ShapeCost[] {
    return [...this.shapes.values()].filter(
      (shape) => shape.app === app && shape.collection === collection && shape.decision?.index === name,
    )
  }

  snapshot(): LedgerSnapshot {
    return { savedAt: this.now(), shapes: [...this.shapes.values()], uses: [...this.indexUses.values()] }
  }

  /** Goes on from what was saved; writes are counted from 0 again. */
  restore({ savedAt, shapes, uses }: LedgerSnapshot): void {
    const pause = Math.max(0, this.now() - savedAt)
    for (const shape of shapes) {
      this.shapes.set(keyOf(shape.app, shape.collection, shape.shape), { ...shape, writesSeen: 0 })
      this.countedWrites(shape)
    }
    for (const use of uses) {
      const idleSince = (use.automatic?.idleSince ?? 0) + pause
      const automatic = use.automatic && { ...use.automatic, writesSeen: 0, idleSince }
      this.countedWrites(use)
      this.indexUses.set(keyOf(use.app, use.collection, use.name), {
        ...use,
        ...(automatic && { automatic }),
      })
    }
  }

  private noteUse(index: CollectionAddress & { name: string }, examined: number): void {
    const use = this.useEntry(index)
    use.uses++
    use.lastUsedAt = this.now()
    this.settle(use)
    if (use.automatic === undefined) return
    use.automatic.idleSince = this.now()
    const { documents, balance } = use.automatic
    // What was spared long ago is no reason to keep what only costs today.
    const most = 2 * COST.built * documents
    use.automatic.balance = Math.min(most, balance + Math.max(0, documents - COST.found * examined))
  }

  private settle({ app, collection, automatic }: IndexUse): void {
    if (automatic === undefined) return
    const writes = this.writesTo({ app, collection })
    automatic.balance -= COST.upkeep * (writes - automatic.writesSeen)
    automatic.writesSeen = writes
  }

  private chargeUpkeep(entry: ShapeCost): void {
    const writes = this.writesTo(entry)
    entry.waste = Math.max(0, entry.waste - COST.upkeep * (writes - entry.writesSeen))
    entry.writesSeen = writes
  }

  /** Counts the writes of a collection from now on, if it was not done before. */
  private countedWrites({ app, collection }: CollectionAddress): number {
    const key = keyOf(app, collection)
    const known = this.writes.get(key)
    if (known !== undefined) return known
    if (this.writes.size >= SHAPES + USES) this.forgetWrites()
    this.writes.set(key, 0)
    return 0
  }

  /** Forgets the writes of collections that nothing is known of any more. */
  private forgetWrites(): void {
    const entries = [...this.shapes.values(), ...this.indexUses.values()]
    const kept = new Set(entries.map(({ app, collection }) => keyOf(app, collection)))
    for (const key of this.writes.keys()) if (!kept.has(key)) this.writes.delete(key)
  }

  private writesTo({ app, collection }: CollectionAddress): number {
    return this.writes.get(keyOf(app, collection)) ?? 0
  }

  private shapeEntry({ app, collection }: CollectionAddress, { text, candidates }: QueryShape): ShapeCost {
    const key = keyOf(app, collection, text)
    const known = this.shapes.get(key)
    if (known !== undefined) return known
    if (this.shapes.size >= SHAPES)
      forgetLeast(this.shapes, ({ waste, milliseconds }) => waste + milliseconds)
    const made: ShapeCost = {
      app,
      collection,
      shape: text,
      candidates,
      count: 0,
      examined: 0,
      returned: 0,
      milliseconds: 0,
      maxMilliseconds: 0,
      slowCount: 0,
      fullCount: 0,
      lastSeenAt: 0,
      documents: 0,
      waste: 0,
      countedFrom: 0,
      writesSeen: this.countedWrites({ app, collection }),
      notBefore: 0,
      tried: [],
    }
    this.shapes.set(key, made)
    return made
  }

  private useEntry({ app, collection, name }: CollectionAddress & { name: string }): IndexUse {
    const key = keyOf(app, collection, name)
    const known = this.indexUses.get(key)
    if (known !== undefined) return known
    if (this.indexUses.size >= USES) forgetLeast(this.indexUses, ({ lastUsedAt }) => lastUsedAt)
    const made: IndexUse = { app, collection, name, uses: 0, lastUsedAt: 0 }
    this.indexUses.set(key, made)
    return made
  }
}

function forgetLeast<Entry>(entries: Map<string, Entry>, worth: (entry: Entry) => number): void {
  const least = [...entries].sort(([, a], [, b]) => worth(a) - worth(b)).slice(0, FORGOTTEN)
  for (const [key] of least) entries.delete(key)
}

/** No name of a collection or of a field has a NUL. */
function keyOf(...parts: readonly string[]): string {
  return parts.join('\0')
}
