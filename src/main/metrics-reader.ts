import type { AlertBoard } from '../alerts/alert-board.ts'
import { packageVersion } from '../config/package-version.ts'
import type { Config } from '../config.ts'
import type { StorageFacts } from '../domain/server-facts.ts'
import { exposition } from '../metrics/exposition.ts'
import type { BackupFacts, HttpFacts, ThreadFacts } from '../metrics/metric-facts.ts'
import { metricFamilies } from '../metrics/metric-families.ts'
import { backupOutcomes } from '../operations/backup-outcomes.ts'
import type { ControlFile } from '../storage/sqlite/control/control-file.ts'
import { measureStorage } from '../storage/sqlite/files/measure-storage.ts'
import type { Directory } from '../storage/store.ts'
import type { AccountsWorker } from './accounts-worker.ts'
import type { KeptTraffic } from './keep-traffic.ts'
import { processUse } from './process-use.ts'

export interface MetricsReaderParts {
  readonly control: Pick<ControlFile, 'countAccounts' | 'setting'>
  readonly store: { directory(): Directory }
  readonly traffic: Pick<KeptTraffic, 'totals'>
  readonly accounts: Pick<AccountsWorker, 'servedCertificates'>
  readonly alerts: Pick<AlertBoard, 'counts'>
}

/** What serves HTTP, as far as metrics tell of it. */
export interface MeasuredHttp {
  /** Has all threads hand over what they have counted, and answers how they are. */
  measureThreads(): Promise<readonly ThreadFacts[]>
  facts(): HttpFacts
}

/** For which a thread is waited for that is busy; beyond, what it told last is taken. */
const THREADS_MS = 1000
/** Sizes of files are read for a twentieth of the time at most, for there may be 100,000 of them. */
const MEASURED_SHARE = 20

/** Reads the metrics of a process, on its main thread. */
export class MetricsReader {
  private readonly config: Pick<Config, 'dataDir' | 'backups'>
  private readonly parts: MetricsReaderParts
  private readonly http = Promise.withResolvers<MeasuredHttp>()
  private threads: readonly ThreadFacts[] = []
  private storage: StorageFacts | undefined
  private measureAgainAt = 0
  private reading: Promise<string> | undefined

  constructor(config: Pick<Config, 'dataDir' | 'backups'>, parts: MetricsReaderParts) {
    this.config = config
    this.parts = parts
  }

  /** Tells what serves; before that nobody gets an answer. */
  measure(http: MeasuredHttp): void {
    this.http.resolve(http)
  }

  /** In Prometheus' text format. Who asks while others are answered gets the same. */
  read(): Promise<string> {
    this.reading ??= this.readNow().finally(() => {
      this.reading = undefined
    })
    return this.reading
  }

  private async readNow(): Promise<string> {
    const http = await this.http.promise
    await Promise.all([this.measureThreads(http), this.measureStorage()])
    const { control, store, traffic, accounts, alerts } = this.parts
    const { apps, keysById } = store.directory()
    return exposition(
      metricFamilies({
        version: packageVersion(),
        nodeVersion: process.version,
        totals: traffic.totals,
        slugs: new Map([...apps.values()].map(({ id, slug }) => [id, slug])),
        http: http.facts(),
        threads: this.threads,
        storage: this.storage,
        accounts: orUndefined(() => control.countAccounts()),
        keys: keysById.size,
        certificates: accounts.servedCertificates,
        backups: this.config.backups && (await backupFacts(control)),
        alerts: alerts.counts(),
        process: await processUse(),
      }),
    )
  }

  private async measureThreads(http: MeasuredHttp): Promise<void> {
    const given = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => given.resolve(undefined), THREADS_MS)
    this.threads = (await Promise.race([http.measureThreads(), given.promise])) ?? this.threads
    clearTimeout(timer)
  }

  private async measureStorage(): Promise<void> {
    const startedAt = performance.now()
    if (startedAt < this.measureAgainAt) return
    this.storage = await measureStorage(this.config.dataDir).catch(() => undefined)
    const endedAt = performance.now()
    this.measureAgainAt = endedAt + (endedAt - startedAt) * MEASURED_SHARE
  }
}

/** A store that can't be read leaves metrics out, and keeps nobody from the others. */
function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

async function backupFacts(control: MetricsReaderParts['control']): Promise<BackupFacts | undefined> {
  const setting = async (name: string) => control.setting(name)
  const outcomes = await backupOutcomes({ setting }).catch(() => undefined)
  return outcomes && { succeededAt: outcomes.success?.at, failedAt: outcomes.failure?.at }
}
