import { AppError, type ErrorCode } from '../errors.ts'
import type { SortField } from '../query/ast.ts'
import type { IndexJobs, KnownIndex } from '../storage/index-jobs.ts'
import type { IndexDecision, IndexUse, ShapeCost } from '../storage/read-ledger.ts'
import type { CollectionAddress } from '../storage/store.ts'
import { beginsWith, hasCandidates, nextCandidate } from './candidate-indexes.ts'
import { indexName } from './index-fields.ts'
import { COST, type ReadLedger } from './read-ledger.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The rule by which indexes are made and dropped (docs/reference/automatic-indexes.md). */
export const AUTO_INDEX = Object.freeze({
  /** Documents of a collection below which no index is made. */
  documents: 2000,
  /** Times that a shape has to be seen. */
  count: 10,
  /** Automatic indexes of one collection. */
  perCollection: 16,
  /** Time without a use after which one is dropped. */
  unusedMs: 7 * DAY_MS,
  /** Time after which an index that was dropped may be made again, and after which a shape is looked at again. */
  againMs: 7 * DAY_MS,
  retryMs: 60 * 60 * 1000,
})

/** With these the store refuses an index that can't be made now, which is no fault. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'index_exists',
  'index_not_found',
  'too_many_indexes',
  'app_not_found',
])

interface AutoIndexParts {
  readonly ledger: ReadLedger
  readonly jobs: IndexJobs
  /** Whether the app lets indexes be made. */
  readonly isOn: (app: string) => boolean
  readonly now: () => number
  /** Told of what is done, in a sentence without values. */
  readonly tell: (message: string) => void
  readonly onFailure: (error: unknown) => void
}

/** Makes indexes for the shapes of queries that have cost more than an index would, and drops those of no use. */
export class AutoIndex {
  private readonly parts: AutoIndexParts
  /** The work under way; one decision is made at a time. */
  private work: Promise<void> | undefined

  constructor(parts: AutoIndexParts) {
    this.parts = parts
  }

  /** Looks at a shape whose cost has risen. Cheap where there is nothing to decide. */
  consider(shape: ShapeCost): void {
    if (!isDue(shape, this.parts.now()) || this.work !== undefined) return
    this.start(() => this.decide(shape))
  }

  /** Takes note of an automatic index that is ready. */
  adopt(index: CollectionAddress & { readonly name: string }, documents: number): void {
    const { ledger } = this.parts
    ledger.adopt(index, documents)
    for (const shape of ledger.shapesFor(index)) {
      const { decision } = shape
      if (decision?.what !== 'building') continue
      this.tryOut(shape, index.name)
      this.note(shape, { ...decision, what: 'built' })
    }
  }

  /** Drops automatic indexes that are not worth their upkeep; meant to be called about once an hour. */
  review(): void {
    if (this.work !== undefined) return
    this.start(async () => {
      for (const use of this.parts.ledger.automaticUses()) {
        const why = reasonToDrop(use, this.parts.now())
        if (why !== undefined && (await this.drop(use)))
          for (const shape of this.parts.ledger.shapesFor(use)) {
            this.beginAnew(shape)
            this.note(shape, { what: 'dropped', index: use.name, why })
          }
      }
    })
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.work
  }

  private start(work: () => Promise<void>): void {
    this.work = work()
      .catch((error) => this.parts.onFailure(error))
      .finally(() => {
        this.work = undefined
      })
  }

  private async decide(shape: ShapeCost): Promise<void> {
    const { jobs, isOn, now } = this.parts
    const { app, collection } = shape
    // Whatever comes of it, the shape is not looked at with every read from here on.
    shape.notBefore = now() + AUTO_INDEX.retryMs
    if (!isOn(app)) return this.noteNotBuilt(shape, 'automatic indexes are off for this app')
    await this.giveUp(shape)
    const fields = nextCandidate(shape)
    if (fields === undefined) return this.beginAnew(shape)
    const name = indexName(fields)
    const records = (await jobs.list(app)).filter((record) => record.collection === collection)
    const known = whatIsThere(fields, records)
    if (known !== undefined) {
      this.tryOut(shape, name)
      return this.noteNotBuilt(shape, known, name)
    }
    const { perCollection } = AUTO_INDEX
    if (records.filter(({ isAutomatic }) => isAutomatic).length >= perCollection)
      return this.noteNotBuilt(shape, `the collection has ${perCollection} automatic indexes`, name)
    await this.build(shape, fields, this.documentsOf(shape, records))
  }

  private async build(shape: ShapeCost, fields: readonly SortField[], documents: number): Promise<void> {
    const { jobs, now } = this.parts
    const { app, collection } = shape
    const index = indexName(fields)
    const why = `${shape.count} queries looked at ${Math.round(shape.waste)} documents too many`
    this.note(shape, { what: 'building', index, why })
    try {
      const command = { name: index, fields, isUnique: false, isAutomatic: true, now: now() }
      await jobs.create({ app, collection, ...command })
    } catch (error) {
      // Stopped on the way, which the next start goes on with.
      if (error instanceof AppError && error.code === 'store_unavailable') return
      this.note(shape, { what: 'failed', index, why: error instanceof Error ? error.message : String(error) })
      if (error instanceof AppError && REFUSALS.has(error.code)) return
      throw error
    }
    this.adopt({ app, collection, name: index }, documents)
  }

  /** From here on an index is there, and the shape's queries should cost little. */
  private tryOut(shape: ShapeCost, name: string): void {
    shape.tried = [...shape.tried, name]
    shape.waste = 0
    shape.countedFrom = this.parts.now()
    shape.notBefore = 0
  }

  /** Has a shape wait, and then have all of its candidates before it. */
  private beginAnew(shape: ShapeCost): void {
    shape.tried = []
    shape.waste = 0
    shape.notBefore = this.parts.now() + AUTO_INDEX.againMs
  }

  /** Drops the index that was there while the shape's queries went on costing, if it was of no use at all. */
  private async giveUp(shape: ShapeCost): Promise<void> {
    const { ledger } = this.parts
    const index = shape.tried.at(-1)
    if (index === undefined) return
    const use = ledger.useOf({ app: shape.app, collection: shape.collection, name: index })
    if (use?.automatic === undefined || use.uses > 0 || !(await this.drop(use))) return
    for (const each of ledger.shapesFor(use))
      this.note(each, { what: 'dropped', index, why: 'no query used it, though they were asked again' })
  }

  private documentsOf(shape: ShapeCost, records: readonly KnownIndex[]): number {
    return Math.max(shape.documents, ...records.map(({ documents }) => documents))
  }

  /** @returns whether it was there */
  private async drop(use: IndexUse): Promise<boolean> {
    const isDropped = await this.dropStored(use)
    this.parts.ledger.forgetIndex(use)
    return isDropped
  }

  /** @returns whether there was still such an index: its app or collection may be gone */
  private async dropStored({ app, collection, name }: IndexUse): Promise<boolean> {
    const { jobs } = this.parts
    try {
      // By its name alone it could be one that was made by hand since.
      const isStill = (await jobs.list(app)).some(
        (record) => record.collection === collection && record.name === name && record.isAutomatic,
      )
      if (isStill) await jobs.drop({ app, collection, name })
      return isStill
    } catch (error) {
      if (error instanceof AppError && REFUSALS.has(error.code)) return false
      throw error
    }
  }

  private noteNotBuilt(shape: ShapeCost, why: string, index = shape.tried.at(-1)): void {
    const next = nextCandidate(shape)
    this.note(shape, { what: 'not built', index: index ?? indexName(next!), why })
  }

  private note(shape: ShapeCost, { what, index, why }: Omit<IndexDecision, 'at'>): void {
    const { ledger, now, tell } = this.parts
    shape.decision = { at: now(), what, index, why }
    ledger.changes++
    tell(`automatic index ${index} of ${shape.collection}: ${what}, ${why}`)
  }
}

/** Whether a shape has cost what building an index would (ski rental: at most about twice the best in hindsight). */
function isDue({ candidates, count, waste, documents, notBefore }: ShapeCost, now: number): boolean {
  if (count < AUTO_INDEX.count || documents < AUTO_INDEX.documents || !hasCandidates(candidates)) return false
  return waste >= COST.built * documents && notBefore <= now
}

/** Why an index with these fields can't be made, nor has to be. */
function whatIsThere(wanted: readonly SortField[], records: readonly KnownIndex[]): string | undefined {
  const serving = records.find(({ fields, state }) => state !== 'failed' && beginsWith(fields, wanted))
  if (serving !== undefined) return `the index ${serving.name} is there already`
  const isTaken = records.some(({ name }) => name === indexName(wanted))
  return isTaken ? 'an index of this name failed' : undefined
}

function reasonToDrop({ automatic }: IndexUse, now: number): string | undefined {
  if (now - automatic!.idleSince > AUTO_INDEX.unusedMs) return 'it was not used for 7 days'
  if (automatic!.balance < 0) return 'it cost writes more than it spared reads'
  return undefined
}
