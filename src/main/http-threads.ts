import type { AddressInfo } from 'node:net'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { ThreadDelta } from '../analytics/traffic-counter.ts'
import type { HostCertificates } from '../http/connection/named-contexts.ts'
import { checkIdentity, type TlsIdentity } from '../http/connection/tls-identity.ts'
import type { ThreadFacts } from '../metrics/metric-facts.ts'
import { errorOf, failureOf } from '../storage/sqlite/protocol/failures.ts'
import type { Observation } from './batching-observer.ts'
import type {
  HttpThreadData,
  HttpThreadMessage,
  HttpThreadRequest,
  MetricsMessage,
} from './http-thread-protocol.ts'
import type { TrafficTails } from './traffic-tails.ts'

export interface HttpThreadsOptions {
  readonly count: number
  /** What each thread is started with; asked once for each. */
  readonly data: () => Omit<HttpThreadData, 'control'>
  /** Writes whole lines of the log. */
  readonly writeLines: (lines: string) => void
  /** Told of what their stores were asked for. */
  readonly onObservations: (observations: readonly Observation[]) => void
  /** Told of what they counted of requests. */
  readonly onTraffic: (delta: ThreadDelta) => void
  /** Told of requests of apps that are watched, and asked for views of them. */
  readonly tails: Pick<TrafficTails, 'tell' | 'open'>
  /** Hands a port to the thread of accounts. */
  readonly onAccounts: (port: MessagePort) => void
  /** The metrics of the process, for one of them that was asked. */
  readonly readMetrics: () => Promise<string>
  /** What a host of a site is served with; see `HostCertificates`. */
  readonly findCertificate: HostCertificates['find']
  /** Told of a thread that ended though nobody asked it to. */
  readonly onEnd: (error: unknown) => void
  /** What they run; another than usual in tests. */
  readonly file?: URL
}

const FILE = new URL('./http-thread.ts', import.meta.url)

/** The threads that serve HTTPS on one port, as the thread keeps them that started them. */
export class HttpThreads {
  private readonly threads: readonly HttpThread[]

  constructor(options: HttpThreadsOptions) {
    this.threads = Array.from({ length: options.count }, () => new HttpThread(options))
  }

  /** Where they listen, all of them. @throws AppError `port_unavailable` */
  async listening(): Promise<readonly AddressInfo[]> {
    const [first] = await Promise.all(this.threads.map((thread) => thread.listening))
    return first!
  }

  /** Resolves when each has every change of apps and keys that was made before the call. */
  async refreshDirectory(): Promise<void> {
    await this.askAll({ ask: 'refresh' })
  }

  /** Has them tell of the requests of these apps, by their ids, and of no others. */
  watchTraffic(apps: readonly string[]): void {
    void this.askAll({ ask: 'watch', apps })
  }

  /** Resolves when each has handed over what it had counted of requests before the call. */
  async handOverTraffic(): Promise<void> {
    await this.askAll({ ask: 'traffic' })
  }

  /** How each is, when all have handed over what they had counted of requests before the call. */
  async measure(): Promise<readonly ThreadFacts[]> {
    await Promise.all([this.askAll({ ask: 'traffic' }), this.askAll({ ask: 'facts' })])
    return this.threads.map((thread) => thread.facts)
  }

  /** @throws AppError `invalid_certificate`; then the old one stays */
  useCertificate(tls: TlsIdentity): void {
    checkIdentity(tls)
    void this.askAll({ ask: 'certificate', tls })
  }

  /** Has the certificates of hosts asked for anew, for new connections. */
  renewHostCertificates(): void {
    void this.askAll({ ask: 'host-certificates' })
  }

  /** Finishes what is in flight, on all at the same time. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()))
  }

  private async askAll(request: HttpThreadRequest): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.ask(request)))
  }
}

class HttpThread {
  private readonly options: HttpThreadsOptions
  private readonly worker: Worker
  private readonly control: MessagePort
  private readonly ready = Promise.withResolvers<readonly AddressInfo[]>()
  private readonly ended = Promise.withResolvers<void>()
  /** Those who asked, in their order. */
  private readonly asked: { readonly ask: HttpThreadRequest['ask']; readonly resolve: () => void }[] = []
  private isReady = false
  /** As it told last. */
  facts: ThreadFacts = { eventLoopDelayMs: 0, spans: undefined }
  private closing = false
  private hasEnded = false

  constructor(options: HttpThreadsOptions) {
    this.options = options
    const { port1, port2 } = new MessageChannel()
    this.control = port1
    const data = options.data()
    this.worker = new Worker(options.file ?? FILE, {
      workerData: { ...data, control: port2 } satisfies HttpThreadData,
      ...(data.config.memoryShares?.heap && { resourceLimits: data.config.memoryShares.heap }),
      transferList: [port2, data.store.port],
    })
    port1.on('message', (message: HttpThreadMessage) => this.take(message))
    this.worker.on('error', (error) => this.end(error))
    this.worker.on('exit', () => this.end(new Error('a thread that serves HTTP ended')))
    // Whoever waits for it hears of it all the same.
    this.ready.promise.catch(() => undefined)
  }

  get listening(): Promise<readonly AddressInfo[]> {
    return this.ready.promise
  }

  ask(request: HttpThreadRequest): Promise<void> {
    return new Promise((resolve) => {
      this.asked.push({ ask: request.ask, resolve })
      this.control.postMessage(request)
    })
  }

  async close(): Promise<void> {
    if (this.hasEnded) return
    this.closing = true
    this.control.postMessage({ ask: 'close' } satisfies HttpThreadRequest)
    await this.ended.promise
  }

  private take(message: HttpThreadMessage): void {
    if ('lines' in message) this.options.writeLines(message.lines)
    else if ('observations' in message) this.options.onObservations(message.observations)
    else if ('traffic' in message) this.options.onTraffic(message.traffic)
    else if ('tail' in message) this.options.tails.tell(message.tail)
    else if ('tailAsked' in message) this.options.tails.open(message.tailAsked)
    else if ('accounts' in message) this.options.onAccounts(message.accounts)
    else if ('facts' in message) this.facts = message.facts
    else if ('metricsTo' in message) void this.answerMetrics(message.metricsTo)
    else if ('host' in message) void this.findCertificate(message)
    else if ('failure' in message) this.ready.reject(errorOf(message.failure))
    else if ('done' in message) this.answer(message.done)
    else {
      this.isReady = true
      this.ready.resolve(message.listening)
    }
  }

  private async findCertificate(asked: { host: string; answerTo: MessagePort }): Promise<void> {
    asked.answerTo.postMessage(await this.options.findCertificate(asked.host))
    asked.answerTo.close()
  }

  private async answerMetrics(port: MessagePort): Promise<void> {
    port.postMessage(
      await this.options.readMetrics().then(
        (text): MetricsMessage => ({ text }),
        (error): MetricsMessage => ({ failure: failureOf(error) }),
      ),
    )
    port.close()
  }

  private answer(done: HttpThreadRequest['ask']): void {
    const index = this.asked.findIndex(({ ask }) => ask === done)
    if (index >= 0) this.asked.splice(index, 1)[0]!.resolve()
  }

  /** An error comes first, and the end of the thread after it. */
  private end(error: unknown): void {
    if (this.hasEnded) return
    this.hasEnded = true
    // What it logged in the end explains the error.
    for (let next = receiveMessageOnPort(this.control); next; next = receiveMessageOnPort(this.control))
      this.take(next.message)
    this.control.close()
    this.ended.resolve()
    if (!this.isReady) this.ready.reject(error)
    else if (!this.closing) this.options.onEnd(error)
  }
}
