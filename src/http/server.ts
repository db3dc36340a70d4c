import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CountRequests } from '../analytics/request-facts.ts'
import { type MemoryShares, UNBOUNDED_MEMORY } from '../domain/memory.ts'
import type { OperationContext } from '../operations/context.ts'
import { SharedCount } from '../shared-memory/count.ts'
import { MemoryBudget } from '../shared-memory/memory-budget.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { ConnectionLimits } from './connection/connection-limits.ts'
import { Listener, type ListenerOptions } from './connection/listener.ts'
import { type HostCertificates, NamedContexts, namedContext } from './connection/named-contexts.ts'
import { Pipeline } from './connection/pipeline.ts'
import { portUnavailable } from './connection/port-unavailable.ts'
import { StrictTransport } from './connection/strict-transport.ts'
import { BODY_BYTES_PER_SECOND, DEFAULT_TIMEOUTS, type HttpTimeouts } from './connection/timeouts.ts'
import { type TlsIdentity, unusableCertificate } from './connection/tls-identity.ts'
import { createHttpCounts, type HttpCounts } from './http-counts.ts'
import type { Log } from './log/log.ts'
import { rareWarning } from './log/rare-warning.ts'
import type { AccessGuard } from './request/access-guard.ts'
import { BodyMemoryLimit } from './request/body-memory-limit.ts'
import type { ClientOf } from './request/client-address.ts'
import { type FindSite, type HandleDashboard, RequestHandler } from './request/handle-request.ts'
import { LoadShedder } from './request/load-shedder.ts'
import { RequestIds } from './request/request-id.ts'
import { RequestLifecycle } from './request/request-lifecycle.ts'
import { EncodedBodyCache } from './response/encoded-body-cache.ts'
import { isProbe } from './routes/health.ts'
import { isScrape, type Metrics } from './routes/metrics.ts'

export interface ServerDependencies {
  readonly context: OperationContext
  readonly guard: AccessGuard
  readonly clientOf: ClientOf
  readonly dashboard?: HandleDashboard
  /** Without it no site is served. */
  readonly findSite?: FindSite | undefined
  /** Without it they are at no path. */
  readonly metrics?: Metrics | undefined
  readonly tls: TlsIdentity
  /** Of hosts that have their own; without this none has. */
  readonly hostCertificates?: HostCertificates
  readonly log: Log
  /** Without it nothing is counted. */
  readonly traffic?: CountRequests
  /** Without it nothing is traced. */
  readonly tracer?: Tracer | undefined
  readonly timeouts?: HttpTimeouts
  /** Whether answers are compressed for clients that ask for it; they are without this. */
  readonly compression?: boolean
  /** Whether many clients may be behind an address, so that its connections are not counted; none is without this. */
  readonly isShared?: (address: string) => boolean
  /** Whether credentials can be checked; without this they always can. */
  readonly isReadable?: () => boolean
  /** How much memory is for what; without it there is plenty. */
  readonly memoryShares?: MemoryShares | undefined
  /** What made the limit on connections smaller than it is by itself, for the log. */
  readonly bound?: string | undefined
  /** Of all servers that hold to the limits together; without this one is alone. */
  readonly counts?: HttpCounts
}

interface ListenOptions {
  /** A name or an address; `localhost` is both of its addresses. */
  readonly host: string
  /** Zero takes a free one. */
  readonly port: number
  /** Whether other threads listen on the same port; the system hands each connection to one of them. */
  readonly reusePort?: boolean
}

export interface HttpServer {
  /**
   * Starts to serve; answers where.
   * @throws AppError `port_unavailable`
   */
  listen(options: ListenOptions): Promise<AddressInfo[]>
  /**
   * Serves new connections with another certificate, and asks anew for those of hosts. That for `localhost` stays where
   * none is given.
   * @throws AppError `invalid_certificate`; then the old one stays
   */
  useCertificate(tls: TlsIdentity): void
  /** Asks anew for the certificates of hosts, for new connections. */
  renewHostCertificates(): void
  /** How late its event loop runs, over about the last second. */
  readonly eventLoopDelayMs: number
  /**
   * Stops accepting, finishes the requests that are open, for `limits.shutdownMs` at most, and closes every
   * connection.
   */
  close(): Promise<void>
}

/**
 * The HTTPS server of the REST interface.
 * @throws AppError `invalid_certificate`
 */
export function createServer(dependencies: ServerDependencies): HttpServer {
  return new ListeningServer(dependencies)
}

class ListeningServer implements HttpServer {
  private readonly listenerOptions: ListenerOptions
  private readonly shutdownMs: number
  private readonly bodyMemory: BodyMemoryLimit
  private readonly memory: MemoryBudget
  private readonly shedder: LoadShedder
  private readonly shedRequests: SharedCount
  private readonly first: Listener
  private readonly others: Listener[] = []
  private tls: TlsIdentity
  private readonly names: NamedContexts
  private readonly strict: StrictTransport
  private stopping = false

  constructor(dependencies: ServerDependencies) {
    const { context, guard, clientOf, log, tls, timeouts = DEFAULT_TIMEOUTS } = dependencies
    const { limits } = context
    const { counts = createHttpCounts(limits), compression = true } = dependencies
    const { isReadable = () => true, memoryShares = UNBOUNDED_MEMORY } = dependencies
    const openRequests = new SharedCount(counts.openRequests)
    const handler = new RequestHandler({
      context,
      guard,
      dashboard: dependencies.dashboard,
      findSite: dependencies.findSite,
      metrics: dependencies.metrics,
      logFault: log.fault,
      ...timeouts,
      bodies: new EncodedBodyCache({ compression, ...memoryShares }),
      isStopping: () => this.stopping,
      isReady: () => !this.stopping && !this.shedder.isOverloaded() && isReadable(),
    })
    this.shedRequests = new SharedCount(counts.shedRequests)
    const ids = new RequestIds()
    this.memory = new MemoryBudget(counts.memory)
    this.tls = tls
    this.names = new NamedContexts(dependencies.hostCertificates)
    this.strict = new StrictTransport(this.names)
    this.shutdownMs = limits.shutdownMs
    this.bodyMemory = new BodyMemoryLimit({
      ...limits,
      bytesPerSecond: BODY_BYTES_PER_SECOND,
      rateCheckMs: timeouts.bodyRateCheckMs,
      held: new SharedCount(counts.heldBodyBytes),
      memory: this.memory,
    })
    this.shedder = new LoadShedder({ ...limits, open: () => openRequests.value, warn: rareWarning(log) })
    const lifecycle = new RequestLifecycle({
      handle: (...request) => handler.handle(...request),
      ...{ ids, log, clientOf, tracer: dependencies.tracer },
      ...{ directory: context.directory, counts: dependencies.traffic },
      bodyMemory: this.bodyMemory,
      isShed: (request) => this.isShed(request, dependencies.metrics),
      strict: this.strict,
      mayPipeline: (socket) => pipeline.mayPipeline(socket),
      ...timeouts,
    })
    const pipeline: Pipeline = new Pipeline((...request) => lifecycle.handle(...request), {
      ...timeouts,
      open: openRequests,
    })
    const connections = connectionLimits(dependencies, counts, this.memory)
    const { names, strict } = this
    this.listenerOptions = { tls, names, limits, timeouts, pipeline, connections, ids, log, strict }
    this.first = this.createListener()
    this.strict.use(tls)
    this.names.renew(contextOfLocalhost(tls))
  }

  async listen({ host, port, reusePort = false }: ListenOptions): Promise<AddressInfo[]> {
    try {
      if (host !== 'localhost') return [await this.first.listen({ host, port, reusePort })]
      const address = await this.first.listen({ host: '127.0.0.1', port, reusePort })
      const second = await this.listenOnIpv6({ port: address.port, reusePort })
      return second === undefined ? [address] : [address, second]
    } catch (error) {
      await this.close()
      throw portUnavailable(error as NodeJS.ErrnoException, port)
    }
  }

  useCertificate(tls: TlsIdentity): void {
    const localhost = contextOfLocalhost(tls)
    for (const listener of [this.first, ...this.others]) listener.useCertificate(tls)
    this.strict.use(tls)
    this.names.renew(localhost)
    this.tls = { ...this.tls, ...tls }
  }

  get eventLoopDelayMs(): number {
    return this.shedder.eventLoopDelayMs
  }

  renewHostCertificates(): void {
    this.names.renew(undefined)
  }

  async close(): Promise<void> {
    this.stopping = true
    this.shedder.close()
    const listeners = [this.first, ...this.others]
    const closed = Promise.all(listeners.map((listener) => listener.stop()))
    const timer = setTimeout(() => {
      for (const listener of listeners) listener.destroyAll()
    }, this.shutdownMs)
    await closed
    clearTimeout(timer)
    this.bodyMemory.close()
  }

  /** Many machines, and most containers, have no IPv6; there the IPv4 address is all of localhost. */
  private async listenOnIpv6(options: {
    readonly port: number
    readonly reusePort: boolean
  }): Promise<AddressInfo | undefined> {
    const listener = this.createListener()
    try {
      const address = await listener.listen({ host: '::1', ...options })
      this.others.push(listener)
      return address
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      await listener.stop()
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return undefined
      throw error
    }
  }

  /** Whoever asks how the server is gets an answer under any load. */
  private isShed(request: IncomingMessage, metrics: Metrics | undefined): boolean {
    if (!this.shedder.isOverloaded() || isProbe(request.url!) || isScrape(request, metrics)) return false
    this.shedRequests.add(1)
    return true
  }

  private createListener(): Listener {
    return new Listener({ ...this.listenerOptions, tls: this.tls })
  }
}

function connectionLimits(
  { context, bound, isShared = () => false, log }: ServerDependencies,
  { openConnections, connectionsByNetwork }: HttpCounts,
  memory: MemoryBudget,
): ConnectionLimits {
  return new ConnectionLimits(
    { ...context.limits, bound, isShared, warn: rareWarning(log) },
    { open: new SharedCount(openConnections), byNetwork: connectionsByNetwork, memory },
  )
}

/** @throws AppError `invalid_certificate` */
function contextOfLocalhost({ localhost }: TlsIdentity): ReturnType<typeof namedContext> | undefined {
  try {
    return localhost && namedContext(localhost)
  } catch (error) {
    throw unusableCertificate(error)
  }
}
