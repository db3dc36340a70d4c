import type { SortField } from '../query/ast.ts'

/** Why an index was made, was not made, or was given up. */
export interface IndexDecision {
  /** Milliseconds since the Unix epoch, here and below. */
  readonly at: number
  readonly what: 'built' | 'building' | 'not built' | 'failed' | 'dropped'
  /** Its name. */
  readonly index: string
  readonly why: string
}

/** The indexes that could serve the queries of a shape, each by its fields. */
export interface IndexCandidates {
  /** Those that find all that matches. */
  readonly byConditions: readonly (readonly SortField[])[]
  /** The one that has what matches in the order asked for. */
  readonly bySort: readonly SortField[] | undefined
}

/** What all queries of one shape in one collection cost. */
export interface ShapeCost {
  readonly app: string
  readonly collection: string
  /** Fields, kinds of conditions and sort; never a value. */
  readonly shape: string
  readonly candidates: IndexCandidates
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
  /** Documents that an index would have spared looking at, less what its upkeep would have cost; never below 0. */
  waste: number
  /** Reads that began before waste nothing: there was no index yet that is there now. */
  countedFrom: number
  /** The collection's writes when `waste` was last brought up to date. */
  writesSeen: number
  /** No index is considered before. */
  notBefore: number
  /** The names of the indexes that were there while the queries went on costing, the one that is there now included. */
  tried: readonly string[]
  decision?: IndexDecision
}

/** How one index was used. */
export interface IndexUse {
  readonly app: string
  readonly collection: string
  readonly name: string
  uses: number
  /** 0 for one that was not used yet. */
  lastUsedAt: number
  /** Only of an automatic index, which is dropped where its balance falls below 0. */
  automatic?: {
    readonly documents: number
    /** In documents: what building cost and reads spared, less the upkeep. */
    balance: number
    writesSeen: number
    /** When it was last used or made; time in which no server ran is left out. */
    idleSince: number
  }
}

/** What is kept of the reads of a data folder. */
export interface LedgerSnapshot {
  /** 0 for an empty one. */
  readonly savedAt: number
  readonly shapes: readonly ShapeCost[]
  readonly uses: readonly IndexUse[]
}

/** Where a ledger is kept, so that the command line can read it beside a running server. */
export interface LedgerStore {
  /** What was saved last; empty where there is none, or where it can't be read. */
  load(): LedgerSnapshot
  save(snapshot: LedgerSnapshot): Promise<void>
}
