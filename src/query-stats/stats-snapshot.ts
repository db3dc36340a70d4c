import type { SortField } from '../query/ast.ts'
import type { ReadPlan } from '../storage/store.ts'

/** Why an index was made, was not made, or was given up. */
export interface IndexDecision {
  /** Milliseconds since the Unix epoch, here and below. */
  readonly at: number
  readonly what: 'built' | 'building' | 'not built' | 'failed' | 'dropped'
  /** Its name. */
  readonly index: string
  readonly why: string
}

/** The indexes that could serve the queries of a fingerprint, each by its fields. */
export interface IndexCandidates {
  /** Those that find all that matches. */
  readonly byConditions: readonly (readonly SortField[])[]
  /** The one that has what matches in the order asked for. */
  readonly bySort: readonly SortField[] | undefined
}

/** What `auto-index` keeps with a fingerprint; nobody else changes it. */
export interface QueryAccount {
  readonly candidates: IndexCandidates
  /** Documents that an index would have spared looking at, less its upkeep; never below 0. */
  missedBenefit: number
  /** Reads that began before missed nothing: there was no index yet that is there now. */
  countedFrom: number
  /** The collection's writes when `missedBenefit` was last brought up to date. */
  writesSeen: number
  /** No index is considered before. */
  notBefore: number
  /** The names of the indexes that were there while the queries went on costing, the one that is there now included. */
  tried: readonly string[]
  decision?: IndexDecision
}

/** What all reads of one fingerprint in one collection took. */
export interface FingerprintStats {
  readonly app: string
  readonly collection: string
  /** Fields, kinds of conditions and sort; never a value. */
  readonly fingerprint: string
  count: number
  /** Documents and entries of indexes that were looked at. */
  examined: number
  returned: number
  milliseconds: number
  maxMilliseconds: number
  slowCount: number
  /** Reads that found as many documents as they asked for. */
  fullCount: number
  lastSeenAt: number
  /** Of the collection, as far as is known. */
  documents: number
  /** How the last of them was carried out; not there where an earlier release has written the statistics. */
  lastPlan?: Omit<ReadPlan, 'examined'>
  account?: QueryAccount
}

/** What an index was made for. */
export interface IndexReason {
  /** Of the queries that missed it. */
  readonly fingerprint: string
  readonly why: string
}

/** What `auto-index` keeps with an index that the service made; nobody else changes it. */
export interface IndexAccount {
  readonly documents: number
  /** In documents: what building it cost and what it has spared reads, less its upkeep. It is dropped below 0. */
  credit: number
  /** The collection's writes when `credit` was last brought up to date. */
  writesSeen: number
  /** When it was last used or made; time in which no server ran is left out. */
  idleSince: number
  /** Documents that reads did not have to look at for it. */
  spared: number
  /** Not there where nobody knows it any more. */
  readonly reason?: IndexReason
}

/** How one index was used. */
export interface IndexStats {
  readonly app: string
  readonly collection: string
  readonly name: string
  uses: number
  /** 0 for one that was not used yet. */
  lastUsedAt: number
  /** Only of an index that the service made. */
  account?: IndexAccount
}

/** The query statistics of a data folder. */
export interface StatsSnapshot {
  /** 0 for an empty one. */
  readonly savedAt: number
  /** Since when reads are counted; 0 where that is not known. */
  readonly since: number
  readonly fingerprints: readonly FingerprintStats[]
  readonly indexes: readonly IndexStats[]
}

/** Where statistics are saved, so that the command line can read them beside a running server. */
export interface QueryStatsStore {
  /** What was saved last; empty where there is none, or where it can't be read. */
  load(): StatsSnapshot
  save(snapshot: StatsSnapshot): Promise<void>
}
