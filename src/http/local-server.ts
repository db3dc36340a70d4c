import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { OperationContext } from '../operations/context.ts'
import { SharedCount } from '../shared-memory/count.ts'
import { MemoryBudget } from '../shared-memory/memory-budget.ts'
import { Pipeline } from './connection/pipeline.ts'
import { BODY_BYTES_PER_SECOND, DEFAULT_TIMEOUTS } from './connection/timeouts.ts'
import { createHttpCounts, type HttpCounts } from './http-counts.ts'
import type { Log } from './log/log.ts'
import { BodyMemoryLimit } from './request/body-memory-limit.ts'
import { type HandleDashboard, RequestHandler } from './request/handle-request.ts'
import { RequestIds } from './request/request-id.ts'
import { RequestLifecycle } from './request/request-lifecycle.ts'
import { EncodedBodyCache } from './response/encoded-body-cache.ts'

export interface LocalServerDependencies {
  readonly context: OperationContext
  readonly dashboard: HandleDashboard
  readonly log: Log
  readonly counts?: HttpCounts
}

/** As `createServer` of this folder has them. */
const HEADER_BYTES = 32 * 1024

/**
 * HTTP without TLS on a socket in a folder: what is under `/_`, for commands that run on this machine. Whoever can open the
 * socket could read every file beside it, so that nobody is kept waiting, turned away or hurried.
 */
export class LocalServer {
  private readonly server: Server
  private readonly pipeline: Pipeline
  private readonly bodyMemory: BodyMemoryLimit
  private readonly shutdownMs: number
  private readonly connections = new Set<Socket>()
  private isStopping = false

  constructor({
    context,
    dashboard,
    log,
    counts = createHttpCounts(context.limits),
  }: LocalServerDependencies) {
    const { limits } = context
    this.shutdownMs = limits.shutdownMs
    this.bodyMemory = new BodyMemoryLimit({
      ...limits,
      bytesPerSecond: BODY_BYTES_PER_SECOND,
      rateCheckMs: DEFAULT_TIMEOUTS.bodyRateCheckMs,
      held: new SharedCount(counts.heldBodyBytes),
      memory: new MemoryBudget(counts.memory),
    })
    const handler = new RequestHandler({
      context,
      dashboard,
      logFault: log.fault,
      ...DEFAULT_TIMEOUTS,
      bodies: new EncodedBodyCache({ compression: false }),
      isStopping: () => this.isStopping,
      isReady: () => !this.isStopping,
    })
    const lifecycle = new RequestLifecycle({
      handle: (...request) => handler.handle(...request),
      ids: new RequestIds(),
      bodyMemory: this.bodyMemory,
      isShed: () => false,
      log,
      clientOf: () => ({ address: '', origin: undefined, referer: undefined }),
      directory: context.directory,
      strict: { has: () => false },
      mayPipeline: (socket) => this.pipeline.mayPipeline(socket),
      ...DEFAULT_TIMEOUTS,
    })
    this.pipeline = new Pipeline((...request) => lifecycle.handle(...request), {
      ...DEFAULT_TIMEOUTS,
      open: new SharedCount(counts.openRequests),
    })
    this.server = createServer({
      maxHeaderSize: limits.urlBytes + HEADER_BYTES,
      // A file may take hours to come, and a connection is kept for as long as its command runs.
      requestTimeout: 0,
      keepAliveTimeout: 0,
      requireHostHeader: false,
    })
    this.server.on('request', (request, response) => this.pipeline.take(request, response, false))
    this.server.on('checkContinue', (request, response) => this.pipeline.take(request, response, true))
    this.server.on('connection', (socket: Socket) => this.accept(socket))
  }

  /** @throws the errors of `net.Server.listen`, with their `code` */
  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(path, () => {
        this.server.off('error', reject)
        resolve()
      })
    })
  }

  /** Closes as soon as nobody is connected any more, however long that takes. */
  async closeWhenUnused(): Promise<void> {
    while (this.connections.size > 0)
      await Promise.race(
        [...this.connections].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
      )
    await this.close()
  }

  /** Takes nothing new, and finishes what is in flight, for `limits.shutdownMs` at most. */
  async close(): Promise<void> {
    this.isStopping = true
    const timer = setTimeout(() => {
      for (const socket of this.connections) socket.destroy()
    }, this.shutdownMs)
    await Promise.all([...this.connections].map((socket) => this.end(socket)))
    clearTimeout(timer)
    // Not before: Node drops connections on which an answer has ended and is still on its way.
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.bodyMemory.close()
  }

  private accept(socket: Socket): void {
    if (this.isStopping) {
      socket.destroy()
      return
    }
    this.connections.add(socket)
    socket.once('close', () => this.connections.delete(socket))
  }

  private async end(socket: Socket): Promise<void> {
    const gone = new Promise((resolve) => socket.once('close', resolve))
    await Promise.race([gone, this.pipeline.close(socket)])
    if (!socket.destroyed) socket.end()
    await gone
  }
}
