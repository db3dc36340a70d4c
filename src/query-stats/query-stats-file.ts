import { readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  FingerprintStats,
  IndexAccount,
  IndexStats,
  QueryAccount,
  QueryStatsStore,
  StatsSnapshot,
} from './stats-snapshot.ts'

/** Of the content; another one is read as empty. */
const VERSION = 2
const EMPTY: StatsSnapshot = Object.freeze({
  savedAt: 0,
  since: 0,
  fingerprints: Object.freeze([]),
  indexes: Object.freeze([]),
})

/** The content, in the words of the version that it began with, so that it can be read after each change of release. */
interface Content {
  readonly version: number
  readonly savedAt: number
  readonly since?: number
  readonly shapes: readonly StoredFingerprint[]
  readonly uses: readonly StoredIndex[]
}

type StoredFingerprint = Omit<FingerprintStats, 'fingerprint' | 'account'> & {
  readonly shape: string
} & Partial<Omit<QueryAccount, 'missedBenefit'> & { readonly waste: number }>

type StoredIndex = Omit<IndexStats, 'account'> & {
  readonly automatic?: Omit<IndexAccount, 'credit' | 'spared'> & {
    readonly balance: number
    readonly spared?: number
  }
}

/** The query statistics in `<data>/shapes.json`. They may be lost at any time: then they begin anew. */
export class QueryStatsFile implements QueryStatsStore {
  private readonly path: string

  constructor({ dataDir }: { dataDir: string }) {
    this.path = join(dataDir, 'shapes.json')
  }

  load(): StatsSnapshot {
    try {
      const {
        version,
        savedAt,
        since = 0,
        shapes,
        uses,
      } = JSON.parse(readFileSync(this.path, 'utf8')) as Content
      if (version !== VERSION) return EMPTY
      return { savedAt, since, fingerprints: shapes.map(fingerprintFrom), indexes: uses.map(indexFrom) }
    } catch {
      // There is none yet, or a power cut left a part of it.
      return EMPTY
    }
  }

  async save({ savedAt, since, fingerprints, indexes }: StatsSnapshot): Promise<void> {
    const content: Content = {
      version: VERSION,
      savedAt,
      since,
      shapes: fingerprints.map(storedFingerprint),
      uses: indexes.map(storedIndex),
    }
    const temporary = `${this.path}.new`
    await rm(temporary, { force: true })
    await writeFile(temporary, JSON.stringify(content), { mode: 0o600, flag: 'wx' })
    await rename(temporary, this.path)
  }
}

function storedFingerprint({ fingerprint, account, ...numbers }: FingerprintStats): StoredFingerprint {
  if (account === undefined) return { ...numbers, shape: fingerprint }
  const { missedBenefit, ...rest } = account
  return { ...numbers, shape: fingerprint, ...rest, waste: missedBenefit }
}

function fingerprintFrom(stored: StoredFingerprint): FingerprintStats {
  const { shape, waste, candidates, countedFrom, writesSeen, notBefore, tried, decision, ...numbers } = stored
  const account = { candidates, missedBenefit: waste, countedFrom, writesSeen, notBefore, tried, decision }
  return {
    ...numbers,
    fingerprint: shape,
    ...(candidates !== undefined && { account: account as QueryAccount }),
  }
}

function storedIndex({ account, ...numbers }: IndexStats): StoredIndex {
  if (account === undefined) return numbers
  const { credit, ...rest } = account
  return { ...numbers, automatic: { ...rest, balance: credit } }
}

function indexFrom({ automatic, ...numbers }: StoredIndex): IndexStats {
  if (automatic === undefined) return numbers
  const { balance, spared = 0, ...rest } = automatic
  return { ...numbers, account: { ...rest, spared, credit: balance } }
}
