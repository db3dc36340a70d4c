import type { ServerTotals } from '../analytics/traffic-delta.ts'
import type { CertificateFacts, StorageFacts } from '../domain/server-facts.ts'

/** All that the metrics are made of, at one moment. Times are milliseconds since the Unix epoch. */
export interface MetricFacts {
  readonly version: string
  readonly nodeVersion: string
  /** Since the start. */
  readonly totals: ServerTotals
  /** The slugs of apps by their ids. */
  readonly slugs: ReadonlyMap<string, string>
  readonly http: HttpFacts
  /** Of each thread that serves HTTP. */
  readonly threads: readonly ThreadFacts[]
  /** Undefined where the data folder can't be looked at. */
  readonly storage: StorageFacts | undefined
  /** Undefined where they can't be counted. */
  readonly accounts: number | undefined
  readonly keys: number
  readonly certificates: readonly CertificateFacts[]
  /** Undefined where none are made by the clock. */
  readonly backups: BackupFacts | undefined
  /** How many alerts fire, by their kinds. */
  readonly alerts: ReadonlyMap<string, number>
  readonly process: ProcessUse
}

export interface HttpFacts {
  readonly openConnections: number
  readonly openRequests: number
  readonly shedRequests: number
  readonly memory: { readonly heldBytes: number; readonly bytes: number }
}

export interface ThreadFacts {
  /** How late its event loop ran, over about the last second. */
  readonly eventLoopDelayMs: number
  /** Undefined where nothing is traced. */
  readonly spans: { readonly exported: number; readonly dropped: number } | undefined
}

export interface BackupFacts {
  readonly succeededAt: number | undefined
  readonly failedAt: number | undefined
}

/** What the operating system says of the process. */
export interface ProcessUse {
  readonly startedAt: number
  readonly cpuSeconds: number
  readonly residentBytes: number
  /** Undefined where the system doesn't say. */
  readonly openFiles: number | undefined
  readonly mostOpenFiles: number | undefined
}
