import { AutoIndex } from '../auto-index/auto-index.ts'
import { IndexAccounts } from '../auto-index/index-accounts.ts'
import type { Log } from '../http/log/log.ts'
import type { StoreObserver } from '../query-stats/instrument-store.ts'
import { QueryStats } from '../query-stats/query-stats.ts'
import { QueryStatsFile } from '../query-stats/query-stats-file.ts'
import { slowQueryLog } from '../query-stats/slow-query-log.ts'
import { hasAutoIndex } from '../storage/accounts/auto-index-setting.ts'
import type { SqliteStore } from '../storage/sqlite/client/sqlite-store.ts'
import { IndexWorker } from '../storage/sqlite/index-worker.ts'
import type { FittedConfig } from './fit-to-machine.ts'

const SAVE_MS = 10_000
const REVIEW_MS = 60 * 60 * 1000
/** A start has better things to do than to look for what a crash left unfinished. */
const FINISH_AFTER_MS = 2000

interface CollectionParts {
  readonly config: FittedConfig
  readonly store: SqliteStore
  readonly control: { setting(name: string): string | undefined }
  readonly log: Log
}

export interface CollectedStats {
  /** To be told of the reads and writes of every store that is used. */
  readonly observer: StoreObserver
  /** Stops the work on indexes and saves what was seen. */
  close(): Promise<void>
}

/** Keeps the query statistics of a server, and has indexes made and dropped by them. */
export function collectQueryStats({ config, store, control, log }: CollectionParts): CollectedStats {
  const { dataDir, slowMs, autoIndex, memoryShares } = config
  const file = new QueryStatsFile({ dataDir })
  const { stats, accounts } = restored(file, slowMs)
  const jobs = new IndexWorker({ dataDir, pageBytes: memoryShares?.pageBytes })
  let isClosing = false
  const onFailure = (error: unknown): void => {
    // What a stop interrupts is no failure; the next start goes on with it.
    if (!isClosing) log.fault('the work on indexes failed', error)
  }
  const isOn = (app: string): boolean => hasAutoIndex(control, app)
  const tell = (line: string): void => log.info(line)
  const auto = new AutoIndex({ stats, accounts, jobs, isOn, now: Date.now, tell, onFailure })
  const noteSlow = slowQueryLog({ now: Date.now, slowMs, tell: (line) => log.warn(line) })
  let saved = stats.changes
  let saving: Promise<void> = Promise.resolve()
  const save = (): Promise<void> => {
    if (stats.changes === saved) return saving
    saved = stats.changes
    stats.keepOnly(new Set([...store.directory().apps.values()].map(({ id }) => id)))
    saving = saving
      .then(() => file.save(stats.snapshot()))
      .catch((error) => log.fault('the query statistics were not written down', error))
    return saving
  }
  const finish = async (): Promise<void> => {
    const apps = await appsToFinish(store)
    // A thread costs memory that the system doesn't get back.
    if (apps.length === 0) return
    const { automatic, failures } = await jobs.finishAll(apps)
    failures.forEach(onFailure)
    for (const [app, records] of automatic)
      for (const { collection, name, documents } of records) auto.adopt({ app, collection, name }, documents)
    if (autoIndex) auto.review()
  }
  const timers = [
    setInterval(() => void save(), SAVE_MS).unref(),
    setInterval(() => autoIndex && auto.review(), REVIEW_MS).unref(),
    setTimeout(() => void finish().catch(onFailure), FINISH_AFTER_MS).unref(),
  ]
  return {
    observer: {
      onRead(read) {
        const query = stats.record(read)
        accounts.charge(query, read)
        noteSlow(query, read.report)
        if (autoIndex && !isClosing) auto.consider(query)
      },
      onWrites: (at, documents) => accounts.countWrites(at, documents),
    },
    async close() {
      isClosing = true
      for (const timer of timers) clearTimeout(timer)
      await jobs.close()
      await auto.settled()
      await save()
    },
  }
}

/** The apps whose indexes are to be finished; what is to be swept away goes without them. */
async function appsToFinish(store: SqliteStore): Promise<string[]> {
  const apps: string[] = []
  for (const { id } of store.directory().apps.values()) {
    const left = await store.leftWork(id)
    if (left.collections) void store.sweepCollections(id)
    if (left.indexes) apps.push(id)
  }
  return apps
}

function restored(file: QueryStatsFile, slowMs: number): { stats: QueryStats; accounts: IndexAccounts } {
  const stats = new QueryStats({ now: Date.now, slowMs })
  const accounts = new IndexAccounts({ stats, now: Date.now })
  const last = file.load()
  stats.restore(last)
  accounts.resume(last.savedAt)
  return { stats, accounts }
}
