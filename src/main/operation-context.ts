import { randomUUID } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { BodyWorker } from '../body/body-worker.ts'
import { siteUrl } from '../config/site-origin.ts'
import { QuotaUses } from '../credentials/quota-uses.ts'
import type { Log } from '../http/log/log.ts'
import { holdsSecret } from '../http/log/redact.ts'
import { ImportThreads } from '../import/import-threads.ts'
import type { OperationContext } from '../operations/context.ts'
import { createAdmission } from '../operations/create-admission.ts'
import { holdToQuotas } from '../operations/hold-to-quotas.ts'
import { instrumentStore, type StoreObserver, writesOnly } from '../query-stats/instrument-store.ts'
import type { SqliteStore } from '../storage/sqlite/client/sqlite-store.ts'
import { monotonicMs } from '../storage/sqlite/protocol/monotonic.ts'
import type { DocumentStore } from '../storage/store.ts'
import type { FittedConfig } from './fit-to-machine.ts'
import type { Tracing } from './open-tracing.ts'
import type { SharedLimits } from './shared-limits.ts'

export interface OperationParts {
  readonly config: FittedConfig
  readonly store: SqliteStore
  readonly observer: StoreObserver
  readonly tracing?: Tracing | undefined
  readonly log: Log
  readonly shared: SharedLimits
  /** That the server listens on. */
  readonly port: () => number
}

export interface MadeContext {
  readonly context: OperationContext
  /** The same, but that its reads leave no trace in query statistics and make no indexes. */
  readonly unobservedContext: OperationContext
  /** Refuses imports from then on, also those that are under way. */
  stopImports(): void
  /** Ends the thread for large bodies, if there is one. */
  close(): Promise<void>
}

/** Somebody may write a key where the name belongs, and what is kept of reads is shown to whoever has a part in the app. */
function withoutSecrets(observer: StoreObserver): StoreObserver {
  return {
    onRead: (read) => {
      if (!holdsSecret(read.collection)) observer.onRead(read)
    },
    onWrites: (at, documents) => observer.onWrites(at, documents),
  }
}

/** What operations on documents work with on one thread. */
export function createOperationContext({
  config,
  store,
  observer,
  tracing,
  log,
  shared,
  port,
}: OperationParts): MadeContext {
  const { limits, serviceNames, memoryShares, sitesDomain } = config
  const bodyWorker = new BodyWorker({
    limits,
    serviceNames,
    heap: memoryShares?.heap,
    onFailure: (error) => log.fault('the thread for large bodies failed', error),
  })
  const imports = new ImportThreads({
    limits,
    heap: memoryShares?.heap,
    onFailure: (error) => log.fault('the thread of an import failed', error),
  })
  const sites = { domain: sitesDomain, urlOf: (host: string) => siteUrl(config, port(), host) }
  const instrumented = (told: StoreObserver): DocumentStore => {
    const made = instrumentStore({ store, observer: withoutSecrets(told), now: Date.now })
    return tracing?.traceStore(made) ?? made
  }
  const context: OperationContext = {
    store: instrumented(observer),
    bodyWorker,
    imports,
    directory: () => store.directory(),
    ...holdToQuotas({
      directory: () => store.directory(),
      uses: new QuotaUses(shared.quotaUses, Date.now),
      now: Date.now,
    }),
    ...createAdmission({ directory: () => store.directory(), sites, now: monotonicMs, rates: shared.rates }),
    limits,
    serviceNames,
    now: Date.now,
    unique: monotonicFactory(),
    uuid: randomUUID,
  }
  return {
    context,
    unobservedContext: { ...context, store: instrumented(writesOnly(observer)) },
    stopImports: () => imports.close(),
    close: () => bodyWorker.close(),
  }
}
