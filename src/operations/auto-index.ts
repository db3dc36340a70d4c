import { AppError, type ErrorCode } from '../errors.ts'
import type { IndexJobs, KnownIndex } from '../storage/index-jobs.ts'
import type { IndexDecision, IndexUse, ShapeCost } from '../storage/read-ledger.ts'
import type { CollectionAddress } from '../storage/store.ts'
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
      if (shape.decision?.what !== 'building') continue
      shape.waste = 0
      this.note(shape, 'built', shape.decision.why)
    }
  }

  /** Drops automatic indexes that are not worth their upkeep; meant to be called about once an hour. */
  review(): void {
    if (this.work !== undefined) return
    this.start(async () => {
      for (const use of this.parts.ledger.automaticUses()) {
        const why = reasonToDrop(use, this.parts.now())
        if (why !== undefined) await this.drop(use, why)
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
    const fields = shape.index!
    // Whatever comes of it, the shape is not looked at with every read from here on.
    shape.notBefore = now() + AUTO_INDEX.retryMs
    if (!isOn(app)) return this.note(shape, 'not built', 'automatic indexes are off for this app')
    const records = (await jobs.list(app)).filter((record) => record.collection === collection)
    const why = reasonNotToBuild(shape, records)
    if (why !== undefined) return this.note(shape, 'not built', why)
    const documents = this.documentsOf(shape, records)
    const name = indexName(fields)
    const cost = Math.round(shape.waste)
    this.note(shape, 'building', `${shape.count} queries looked at ${cost} documents too many`)
    try {
      await jobs.create({ app, collection, name, fields, isUnique: false, isAutomatic: true, now: now() })
    } catch (error) {
      // Stopped on the way, which the next start goes on with.
      if (error instanceof AppError && error.code === 'store_unavailable') return
      this.note(shape, 'failed', error instanceof Error ? error.message : String(error))
      if (error instanceof AppError && REFUSALS.has(error.code)) return
      throw error
    }
    this.adopt({ app, collection, name }, documents)
  }

  private documentsOf(shape: ShapeCost, records: readonly KnownIndex[]): number {
    return Math.max(shape.documents, ...records.map(({ documents }) => documents))
  }

  private async drop(use: IndexUse, why: string): Promise<void> {
    const { ledger, now } = this.parts
    const isDropped = await this.dropStored(use)
    ledger.forgetIndex(use)
    if (!isDropped) return
    for (const shape of ledger.shapesFor(use)) {
      shape.waste = 0
      shape.notBefore = now() + AUTO_INDEX.againMs
      this.note(shape, 'dropped', why)
    }
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

  private note(shape: ShapeCost, what: IndexDecision['what'], why: string): void {
    const { ledger, now, tell } = this.parts
    shape.decision = { at: now(), what, why }
    ledger.changes++
    tell(`automatic index ${indexName(shape.index!)} of ${shape.collection}: ${what}, ${why}`)
  }
}

/** Whether a shape has cost what building an index would (ski rental: at most about twice the best in hindsight). */
function isDue(shape: ShapeCost, now: number): boolean {
  const { index, count, waste, documents, notBefore } = shape
  if (index === undefined || count < AUTO_INDEX.count || documents < AUTO_INDEX.documents) return false
  return waste >= COST.built * documents && notBefore <= now
}

function reasonNotToBuild(shape: ShapeCost, records: readonly KnownIndex[]): string | undefined {
  const wanted = shape.index!
  const serving = records.find(({ fields, state }) => state !== 'failed' && beginsWith(fields, wanted))
  if (serving !== undefined) return `the index ${serving.name} is there already`
  if (records.some(({ name }) => name === indexName(wanted))) return 'an index of this name failed'
  if (records.filter(({ isAutomatic }) => isAutomatic).length >= AUTO_INDEX.perCollection)
    return `the collection has ${AUTO_INDEX.perCollection} automatic indexes`
  return undefined
}

/** Whether an index has the wanted fields first, all in the same direction or all in the opposite one. */
function beginsWith(fields: ShapeCost['index'] & object, wanted: ShapeCost['index'] & object): boolean {
  if (wanted.length > fields.length) return false
  const isSame = wanted.every(({ path }, at) => path.join('.') === fields[at]!.path.join('.'))
  const same = wanted.filter(({ direction }, at) => direction === fields[at]!.direction).length
  return isSame && (same === 0 || same === wanted.length)
}

function reasonToDrop({ automatic }: IndexUse, now: number): string | undefined {
  if (now - automatic!.idleSince > AUTO_INDEX.unusedMs) return 'it was not used for 7 days'
  if (automatic!.balance < 0) return 'it cost writes more than it spared reads'
  return undefined
}
