import type { AddressInfo } from 'node:net'
import type { QuotaMemory } from '../credentials/quota-uses.ts'
import { canSharePort, freePort } from '../http/connection/share-port.ts'
import { checkIdentity, type TlsIdentity } from '../http/connection/tls-identity.ts'
import type { Log } from '../http/log/log.ts'
import type { StoreObserver } from '../query-stats/instrument-store.ts'
import type { SharedMemory } from '../shared-memory/memory-budget.ts'
import type { OpenedSqliteStore } from '../storage/sqlite/client/sqlite-store.ts'
import { AccountsClient } from './accounts-client.ts'
import type { AccountsWorker } from './accounts-worker.ts'
import { type AssembledHttp, assembleHttp } from './assemble-http.ts'
import { replay } from './batching-observer.ts'
import type { FittedConfig } from './fit-to-machine.ts'
import { httpFacts } from './http-facts.ts'
import type { KeptTraffic } from './keep-traffic.ts'
import type { MetricsReader } from './metrics-reader.ts'
import { openTracing } from './open-tracing.ts'
import { createSharedLimits } from './shared-limits.ts'
import type { SiteCertificates } from './site-certificates.ts'
import { TrafficTails } from './traffic-tails.ts'

/** Where HTTPS is served, on however many threads. */
export interface HttpService {
  readonly listening: readonly AddressInfo[]
  /** Resolves when every thread has each change of apps and keys that was made before the call. */
  refreshDirectory(): Promise<void>
  /** Resolves when every thread has handed over what it had counted of requests before the call. */
  handOverTraffic(): Promise<void>
  /** @throws AppError `invalid_certificate`; then the old one stays */
  useCertificate(tls: TlsIdentity): void
  /** Has the certificates of hosts asked for anew. */
  renewHostCertificates(): void
  /** Finishes what is in flight, for `limits.shutdownMs` at most. */
  close(): Promise<void>
}

export interface HttpServiceParts {
  readonly config: FittedConfig
  /** What all that clients have under way may take; without it there is no bound. */
  readonly memory?: SharedMemory
  /** What accounts use of their quotas. */
  readonly quotaUses: QuotaMemory
  readonly store: OpenedSqliteStore
  /** Told of reads and writes, on whichever thread they are asked for. */
  readonly observer: StoreObserver
  readonly accounts: Pick<AccountsWorker, 'serve'>
  /** Told of what was counted of requests, on whichever thread. */
  readonly traffic: Pick<KeptTraffic, 'take'>
  /** What answers those who ask for the metrics, and asks here for what it needs. */
  readonly metrics: Pick<MetricsReader, 'read' | 'measure'>
  readonly tls: TlsIdentity
  /** The certificates of hosts of sites. */
  readonly sites: Pick<SiteCertificates, 'find'>
  readonly log: Log
  /** Told of a thread that ended though nobody asked it to. */
  readonly onEnd: (error: unknown) => void
}

/**
 * Serves HTTPS: on this thread where one is enough, else on threads that share the port, while this one keeps watch.
 * @throws AppError `invalid_certificate`, `port_unavailable`
 */
export async function openHttp(
  parts: HttpServiceParts,
  { mayShare } = { mayShare: canSharePort },
): Promise<HttpService> {
  const { httpThreads } = parts.config
  if (httpThreads === 1) return openHere(parts)
  if (await mayShare()) return openOnThreads(parts)
  parts.log.warn(
    `HTTP is served by one thread instead of ${httpThreads}, for threads can't share a port on this system`,
  )
  return openHere(parts)
}

async function openHere({
  config,
  memory,
  quotaUses,
  store,
  observer,
  accounts,
  traffic,
  metrics,
  tls,
  sites,
  log,
}: HttpServiceParts): Promise<HttpService> {
  const shared = createSharedLimits(config.limits, { memory, quotaUses })
  const tails = new TrafficTails({
    watch: (apps) => server.watchTraffic(apps),
    now: () => performance.now(),
  })
  const server: AssembledHttp = assembleHttp({
    config,
    store,
    observer,
    accounts: new AccountsClient((port) => accounts.serve(port)),
    tls,
    receiver: {
      take: (delta) => traffic.take(delta),
      tell: (batches) => tails.tell(batches),
      openView: (asked) => tails.open(asked),
    },
    findCertificate: (host) => sites.find(host),
    tracing: await openTracing(config.tracing, log),
    readMetrics: () => metrics.read(),
    log,
    shared,
  })
  metrics.measure({
    async measureThreads() {
      server.flushTraffic()
      return [server.threadFacts()]
    },
    facts: () => httpFacts(shared.counts),
  })
  try {
    const listening = await server.listen(config)
    return {
      listening,
      refreshDirectory: () => store.refreshDirectory(),
      handOverTraffic: async () => server.flushTraffic(),
      useCertificate: (pair) => server.useCertificate(pair),
      renewHostCertificates: () => server.renewHostCertificates(),
      close: () => server.close(),
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

async function openOnThreads({
  config,
  memory,
  quotaUses,
  store,
  observer,
  accounts,
  traffic,
  metrics,
  tls,
  sites,
  log,
  onEnd,
}: HttpServiceParts): Promise<HttpService> {
  // Loaded only where they are used.
  const { HttpThreads } = await import('./http-threads.ts')
  // An error that comes from another thread has lost its code.
  checkIdentity(tls)
  const port = await freePort(config)
  const shared = createSharedLimits(config.limits, { memory, quotaUses })
  const threads: InstanceType<typeof HttpThreads> = new HttpThreads({
    count: config.httpThreads,
    data: () => ({ config, store: store.share(config.httpThreads), tls, shared, port }),
    writeLines: (lines) => log.relay(lines),
    onObservations: (observations) => replay(observer, observations),
    onTraffic: (delta) => traffic.take(delta),
    tails: new TrafficTails({ watch: (apps) => threads.watchTraffic(apps), now: () => performance.now() }),
    onAccounts: (port) => accounts.serve(port),
    findCertificate: (host) => sites.find(host),
    readMetrics: () => metrics.read(),
    onEnd,
  })
  metrics.measure({ measureThreads: () => threads.measure(), facts: () => httpFacts(shared.counts) })
  try {
    const listening = await threads.listening()
    return {
      listening,
      refreshDirectory: () => threads.refreshDirectory(),
      handOverTraffic: () => threads.handOverTraffic(),
      useCertificate: (pair) => threads.useCertificate(pair),
      renewHostCertificates: () => threads.renewHostCertificates(),
      close: () => threads.close(),
    }
  } catch (error) {
    await threads.close()
    throw error
  }
}
