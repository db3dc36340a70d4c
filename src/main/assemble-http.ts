import { describeCertificate } from '../certificates/describe-certificate.ts'
import { linkOrigin } from '../config/link-origin.ts'
import { ownHosts } from '../config/site-origin.ts'
import { createAuthenticator } from '../credentials/authenticate.ts'
import { createFailureLimiter } from '../credentials/failure-limiter.ts'
import { createKeyUses } from '../credentials/key-uses.ts'
import { createSingleFlightRefresh } from '../credentials/single-flight-refresh.ts'
import { createDashboard } from '../dashboard-api/create-dashboard.ts'
import { clientRequester } from '../dashboard-api/requester-of.ts'
import { createPages } from '../dashboard-pages/create-pages.ts'
import { UNBOUNDED_MEMORY } from '../domain/memory.ts'
import { sharedAddresses } from '../http/connection/connection-limits.ts'
import type { HostCertificates } from '../http/connection/named-contexts.ts'
import type { TlsIdentity } from '../http/connection/tls-identity.ts'
import type { Log } from '../http/log/log.ts'
import { AccessGuard, type AccessGuardOptions } from '../http/request/access-guard.ts'
import { type ClientOf, createClientOf } from '../http/request/client-address.ts'
import type { FindSite, HandleDashboard } from '../http/request/handle-request.ts'
import { createMetricsAccess } from '../http/request/metrics-access.ts'
import { createServer, type HttpServer } from '../http/server.ts'
import type { ThreadFacts } from '../metrics/metric-facts.ts'
import type { StoreObserver } from '../query-stats/instrument-store.ts'
import { createSitePages, type SitePagesOptions } from '../site-pages/create-site-pages.ts'
import { SiteFiles } from '../sites/site-files.ts'
import type { SqliteStore } from '../storage/sqlite/client/sqlite-store.ts'
import { monotonicMs } from '../storage/sqlite/protocol/monotonic.ts'
import type { AccountsClient } from './accounts-client.ts'
import { countTraffic, type TrafficReceiver } from './count-traffic.ts'
import type { FittedConfig } from './fit-to-machine.ts'
import type { Tracing } from './open-tracing.ts'
import { createOperationContext, type MadeContext } from './operation-context.ts'
import type { SharedLimits } from './shared-limits.ts'
import { TailClient } from './tail-client.ts'

export interface HttpParts {
  readonly config: FittedConfig
  readonly store: SqliteStore
  readonly observer: StoreObserver
  readonly accounts: AccountsClient
  readonly receiver: TrafficReceiver
  readonly tls: TlsIdentity
  /** Asks the main thread for the certificate of a host of a site. */
  readonly findCertificate: HostCertificates['find']
  /** Of requests; undefined where none is traced. Closing the server closes it. */
  readonly tracing: Tracing | undefined
  /** The metrics of the whole process, which the main thread makes. */
  readonly readMetrics: () => Promise<string>
  readonly log: Log
  readonly shared: SharedLimits
}

/** Where `npm run build` puts the pages. */
const DASHBOARD_FOLDER = new URL('../../dashboard/dist/', import.meta.url)

export interface AssembledHttp extends Omit<HttpServer, 'eventLoopDelayMs'> {
  /** How this thread is at this moment. */
  threadFacts(): ThreadFacts
  /** Hands over what was counted of requests, at once. */
  flushTraffic(): void
  /** Tells of the requests of these apps, by their ids, and of no others. */
  watchTraffic(apps: readonly string[]): void
}

/** Puts together what one thread needs to serve HTTPS. Closing it leaves the store open. */
export function assembleHttp({
  config,
  store,
  observer,
  accounts,
  receiver,
  tls,
  findCertificate,
  tracing,
  readMetrics,
  log,
  shared,
}: HttpParts): AssembledHttp {
  const { trustProxy, bound, compression, memoryShares } = config
  let { port } = config
  const made = createOperationContext({ config, store, observer, tracing, log, shared, port: () => port })
  const { context } = made
  const keyUses = keyUsesIn(store, log)
  const clientOf = createClientOf(trustProxy)
  const guard = accessGuard({ store, shared, context, clientOf, keyUses })
  const tails = new TailClient((asked) => receiver.openView(asked))
  const dashboard = dashboardOf({ config, store, accounts }, { made, clientOf, tails })
  const { countRequest } = context
  const findSite = siteFinder({ config, store, tls, countRequest, apiUrl: () => linkOrigin(config, port) })
  const traffic = countTraffic({ limits: config.limits, log, receiver })
  const server = createServer({
    ...{ context, guard, clientOf, dashboard, findSite, tls, log, traffic, tracer: tracing?.tracer },
    hostCertificates: hostCertificates({ findSite, findCertificate, log }),
    metrics: { mayRead: createMetricsAccess(config), read: readMetrics },
    isShared: sharedAddresses(trustProxy),
    isReadable: () => canRead(store),
    bound,
    memoryShares,
    counts: shared.counts,
    compression,
  })
  return {
    listen: async (options) => {
      const listening = await server.listen(options)
      port = listening[0]!.port
      return listening
    },
    useCertificate: (pair) => server.useCertificate(pair),
    renewHostCertificates: () => server.renewHostCertificates(),
    flushTraffic: () => traffic.flush(),
    watchTraffic: (apps) => traffic.watch(apps),
    threadFacts: () => ({ eventLoopDelayMs: server.eventLoopDelayMs, spans: tracing?.counts() }),
    close: async () => {
      // What may take minutes is not waited for.
      made.stopImports()
      tails.close()
      await server.close()
      traffic.close()
      await tracing?.close()
      accounts.close()
      await keyUses.close()
      await made.close()
    },
  }
}

function keyUsesIn(store: SqliteStore, log: Log): ReturnType<typeof createKeyUses> {
  return createKeyUses({
    now: Date.now,
    record: (uses) => store.recordKeyUses(uses),
    onFailure: (error) => log.fault('the last use of keys was not written', error),
  })
}

interface DashboardParts {
  readonly made: MadeContext
  readonly clientOf: ClientOf
  readonly tails: TailClient
}

function dashboardOf(
  { config, store, accounts }: Pick<HttpParts, 'config' | 'store' | 'accounts'>,
  { made, clientOf, tails }: DashboardParts,
): HandleDashboard {
  const { context, unobservedContext } = made
  return createDashboard({
    accounts,
    context,
    unobservedContext,
    requesterOf: clientRequester(clientOf),
    origin: config.publicUrl,
    refreshDirectory: () => store.refreshDirectory(),
    servePages: createPages(DASHBOARD_FOLDER),
    openTail: (wanted) => tails.begin(wanted),
  })
}

function hostCertificates({
  findSite,
  findCertificate,
  log,
}: Pick<HttpParts, 'findCertificate' | 'log'> & { readonly findSite: FindSite }): HostCertificates {
  return {
    isKnown: (host) => (findSite(host)?.name ?? '') !== '',
    find: findCertificate,
    onFailure: (host, error) => log.fault(`the certificate for ${host} can't be used`, error),
  }
}

function siteFinder({
  config,
  store,
  tls,
  countRequest,
  apiUrl,
}: Pick<HttpParts, 'config' | 'store' | 'tls'> &
  Pick<SitePagesOptions, 'countRequest' | 'apiUrl'>): FindSite {
  const { dataDir, sitesDomain, compression, memoryShares = UNBOUNDED_MEMORY } = config
  return createSitePages({
    files: new SiteFiles(dataDir),
    names: { domain: sitesDomain, ownHosts: ownHosts(config, describeCertificate(tls.cert).names) },
    directory: () => store.directory(),
    countRequest,
    apiUrl,
    compression,
    cacheBytes: memoryShares.siteCacheBytes,
  })
}

function accessGuard({
  store,
  shared,
  ...rest
}: Omit<AccessGuardOptions, 'authenticator' | 'failures'> & {
  readonly store: SqliteStore
  readonly shared: SharedLimits
}): AccessGuard {
  const now = monotonicMs
  const refreshDirectory = createSingleFlightRefresh({ now, refresh: () => store.refreshDirectory() })
  const authenticator = createAuthenticator({
    directory: () => store.currentDirectory(),
    now: Date.now,
    refreshDirectory,
  })
  return new AccessGuard({
    ...rest,
    authenticator,
    failures: createFailureLimiter(now, shared.failures),
  })
}

function canRead(store: SqliteStore): boolean {
  try {
    store.currentDirectory()
    return true
  } catch {
    return false
  }
}
