import type { Config } from '../config.ts'
import type { Log } from '../http/log.ts'
import { AutoIndex } from '../operations/auto-index.ts'
import { ReadLedger } from '../operations/read-ledger.ts'
import { slowQueryLog } from '../operations/slow-query-log.ts'
import type { StoreWatch } from '../operations/watch-store.ts'
import { hasAutoIndex } from '../storage/sqlite/control/control-auto-index.ts'
import { IndexWorker } from '../storage/sqlite/index-worker.ts'
import { LedgerFile } from '../storage/sqlite/ledger-file.ts'
import type { SqliteStore } from '../storage/sqlite/store.ts'

const SAVE_MS = 10_000
const REVIEW_MS = 60 * 60 * 1000
/** A start has better things to do than to look for what a crash left unfinished. */
const FINISH_AFTER_MS = 2000

interface WatchParts {
  readonly config: Config
  readonly store: SqliteStore
  readonly control: { setting(name: string): string | undefined }
  readonly log: Log
}

export interface WatchedReads {
  /** To be told of the reads and writes of every store that is used. */
  readonly watch: StoreWatch
  /** Stops the work on indexes and saves what was seen. */
  close(): Promise<void>
}

/** Keeps account of reads by the shape of their queries, and makes and drops indexes by it. */
export function watchReads({ config, store, control, log }: WatchParts): WatchedReads {
  const { dataDir, slowMs, autoIndex } = config
  const file = new LedgerFile({ dataDir })
  const ledger = new ReadLedger({ now: Date.now, slowMs })
  ledger.restore(file.load())
  const jobs = new IndexWorker({ dataDir })
  let isClosing = false
  const onFailure = (error: unknown): void => {
    // What a stop interrupts is no failure; the next start goes on with it.
    if (!isClosing) log.fault('the work on indexes failed', error)
  }
  const isOn = (app: string): boolean => hasAutoIndex(control, app)
  const auto = new AutoIndex({ ledger, jobs, isOn, now: Date.now, tell: (line) => log.info(line), onFailure })
  const noteSlow = slowQueryLog({ now: Date.now, slowMs, tell: (line) => log.warn(line) })

  let saved = ledger.changes
  let saving: Promise<void> = Promise.resolve()
  const save = (): Promise<void> => {
    if (ledger.changes === saved) return saving
    saved = ledger.changes
    ledger.keepOnly(new Set([...store.directory().apps.values()].map(({ id }) => id)))
    saving = saving
      .then(() => file.save(ledger.snapshot()))
      .catch((error) => log.fault('what reads cost was not written down', error))
    return saving
  }
  const finish = async (): Promise<void> => {
    const apps: string[] = []
    for (const { id } of store.directory().apps.values()) if (await store.hasIndexWork(id)) apps.push(id)
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
    watch: {
      onRead(read) {
        const shape = ledger.note(read)
        noteSlow(shape, read.report)
        if (autoIndex && !isClosing) auto.consider(shape)
      },
      onWrites: (at, documents) => ledger.noteWrites(at, documents),
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
