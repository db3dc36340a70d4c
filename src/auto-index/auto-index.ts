/**
 * The rule (ski rental: who rents until the rent has reached the price, and then buys, never pays more than twice what
 * the best choice in hindsight would have cost). Costs are counted in documents that a scan looks at. The **benefit** of
 * an index is what it spares reads, less its upkeep by writes. For each query fingerprint, the benefit that it misses
 * adds up; when it has reached the cost of building an index, the next candidate is built, and the sum begins at 0 again.
 * If it gets there again, that index was no help: if no query used it, it is dropped, and the next candidate has its
 * turn. An automatic index begins with the cost of building it as credit, to which its benefit is added, up to twice
 * that; once an hour, one is dropped whose credit is used up, or that was not used for 7 days. A fingerprint whose index
 * was dropped so, or whose candidates have all had their turn, is left alone for 7 days, and then all begins anew.
 */
import { AppError, type ErrorCode } from '../errors.ts'
import type { SortField } from '../query/ast.ts'
import { indexName } from '../query/index-fields.ts'
import type { IndexAddress, QueryStats } from '../query-stats/query-stats.ts'
import type {
  FingerprintStats,
  IndexDecision,
  IndexReason,
  IndexStats,
  QueryAccount,
} from '../query-stats/stats-snapshot.ts'
import type { IndexJobs, KnownIndex } from '../storage/index-jobs.ts'
import { AUTO_INDEX, obstacleTo, reasonToDrop } from './auto-index-rule.ts'
import { beginsWith, nextCandidate } from './candidate-indexes.ts'
import type { IndexAccounts } from './index-accounts.ts'

/** With these the store refuses an index that can't be made now, which is no fault. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'index_exists',
  'index_not_found',
  'too_many_indexes',
  'app_not_found',
])

interface AutoIndexParts {
  readonly stats: QueryStats
  readonly accounts: IndexAccounts
  readonly jobs: IndexJobs
  /** Whether the app lets indexes be made. */
  readonly isOn: (app: string) => boolean
  readonly now: () => number
  /** Told of what is done, in a sentence without values. */
  readonly tell: (message: string) => void
  readonly onFailure: (error: unknown) => void
}

/** A fingerprint with an account, as each has whose benefit was booked. */
type Query = FingerprintStats & { readonly account: QueryAccount }

/** Makes and drops indexes by the accounts. */
export class AutoIndex {
  private readonly parts: AutoIndexParts
  /** The work under way; one decision is made at a time. */
  private work: Promise<void> | undefined

  constructor(parts: AutoIndexParts) {
    this.parts = parts
  }

  /** Looks at a fingerprint whose account was charged. Cheap where there is nothing to decide. */
  consider(stats: FingerprintStats): void {
    if (!isCharged(stats) || obstacleTo(stats) !== undefined) return
    if (stats.account.notBefore > this.parts.now() || this.work !== undefined) return
    this.start(() => this.decide(stats))
  }

  /** Takes note of an automatic index that is ready. */
  adopt(index: IndexAddress, documents: number): void {
    const waiting = this.queriesFor(index).filter(({ account }) => account.decision?.what === 'building')
    this.parts.accounts.adopt(index, documents, reasonOf(waiting))
    for (const query of waiting) {
      this.tryOut(query, index.name)
      this.note(query, { ...query.account.decision!, what: 'built' })
    }
  }

  /** Drops automatic indexes that are not worth their upkeep; meant to be called about once an hour. */
  review(): void {
    if (this.work !== undefined) return
    this.start(async () => {
      for (const index of this.parts.accounts.automaticIndexes()) {
        const why = reasonToDrop(index.account!, this.parts.now())
        if (why !== undefined && (await this.drop(index)))
          for (const query of this.queriesFor(index)) {
            this.rest(query)
            this.note(query, { what: 'dropped', index: index.name, why })
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

  private async decide(query: Query): Promise<void> {
    const { jobs, isOn, now } = this.parts
    const { app, collection, account } = query
    // Whatever comes of it, the fingerprint is not looked at with every read from here on.
    account.notBefore = now() + AUTO_INDEX.retryMs
    if (!isOn(app)) return this.noteNotBuilt(query, 'automatic indexes are off for this app')
    await this.dropUnused(query)
    const fields = nextCandidate(query)
    if (fields === undefined) return this.rest(query)
    const name = indexName(fields)
    const records = (await jobs.list(app)).filter((record) => record.collection === collection)
    const known = whatIsThere(fields, records)
    if (known !== undefined) {
      this.tryOut(query, name)
      return this.noteNotBuilt(query, known, name)
    }
    const { perCollection } = AUTO_INDEX
    if (records.filter(({ isAutomatic }) => isAutomatic).length >= perCollection)
      return this.noteNotBuilt(query, `the collection has ${perCollection} automatic indexes`, name)
    await this.build(query, fields, Math.max(query.documents, ...records.map(({ documents }) => documents)))
  }

  private async build(query: Query, fields: readonly SortField[], documents: number): Promise<void> {
    const { jobs, now } = this.parts
    const { app, collection } = query
    const index = indexName(fields)
    const why = `${query.count} queries looked at ${Math.round(query.account.missedBenefit)} documents too many`
    this.note(query, { what: 'building', index, why })
    try {
      const command = { name: index, fields, isUnique: false, isAutomatic: true, now: now() }
      await jobs.create({ app, collection, ...command })
    } catch (error) {
      // Stopped on the way, which the next start goes on with.
      if (error instanceof AppError && error.code === 'store_unavailable') return
      this.note(query, { what: 'failed', index, why: error instanceof Error ? error.message : String(error) })
      if (error instanceof AppError && REFUSALS.has(error.code)) return
      throw error
    }
    this.adopt({ app, collection, name: index }, documents)
  }

  /** From here on an index is there, and the fingerprint's queries should miss little. */
  private tryOut({ account }: Query, name: string): void {
    account.tried = [...account.tried, name]
    account.missedBenefit = 0
    account.countedFrom = this.parts.now()
    account.notBefore = 0
  }

  /** Leaves a fingerprint alone for a while; then all of its candidates are before it again. */
  private rest({ account }: Query): void {
    account.tried = []
    account.missedBenefit = 0
    account.notBefore = this.parts.now() + AUTO_INDEX.restMs
  }

  /** Drops the index that was there while the queries went on missing one, if no query used it at all. */
  private async dropUnused({ app, collection, account }: Query): Promise<void> {
    const name = account.tried.at(-1)
    if (name === undefined) return
    const index = this.parts.stats.knownIndex({ app, collection, name })
    if (index?.account === undefined || index.uses > 0 || !(await this.drop(index))) return
    for (const query of this.queriesFor(index)) {
      const why = 'no query used it, though they were asked again'
      this.note(query, { what: 'dropped', index: name, why })
    }
  }

  /** @returns whether it was there */
  private async drop(index: IndexStats): Promise<boolean> {
    const isDropped = await this.dropStored(index)
    this.parts.stats.forgetIndex(index)
    return isDropped
  }

  /** @returns whether there was still such an index: its app or collection may be gone */
  private async dropStored({ app, collection, name }: IndexStats): Promise<boolean> {
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

  /** The fingerprints for which an index of this name was last decided on. */
  private queriesFor({ app, collection, name }: IndexAddress): Query[] {
    return this.parts.stats
      .allFingerprints()
      .filter(isCharged)
      .filter(
        (query) =>
          query.app === app && query.collection === collection && query.account.decision?.index === name,
      )
  }

  private noteNotBuilt(query: Query, why: string, index = query.account.tried.at(-1)): void {
    const next = nextCandidate(query)
    this.note(query, { what: 'not built', index: index ?? indexName(next!), why })
  }

  private note(query: Query, { what, index, why }: Omit<IndexDecision, 'at'>): void {
    const { stats, now, tell } = this.parts
    query.account.decision = { at: now(), what, index, why }
    stats.changes++
    tell(`automatic index ${index} of ${query.collection}: ${what}, ${why}`)
  }
}

function isCharged(stats: FingerprintStats): stats is Query {
  return stats.account !== undefined
}

function reasonOf([query]: readonly Query[]): IndexReason | undefined {
  return query && { fingerprint: query.fingerprint, why: query.account.decision!.why }
}

/** Why an index with these fields can't be made, nor has to be. */
function whatIsThere(wanted: readonly SortField[], records: readonly KnownIndex[]): string | undefined {
  const serving = records.find(({ fields, state }) => state !== 'failed' && beginsWith(fields, wanted))
  if (serving !== undefined) return `the index ${serving.name} is there already`
  const isTaken = records.some(({ name }) => name === indexName(wanted))
  return isTaken ? 'an index of this name failed' : undefined
}
