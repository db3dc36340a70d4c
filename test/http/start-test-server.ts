import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { monotonicFactory } from 'ulid'
import type { CountRequests } from '../../src/analytics/request-facts.ts'
import { BodyWorker } from '../../src/body/body-worker.ts'
import { generateApiKey } from '../../src/credentials/api-key.ts'
import { createAuthenticator } from '../../src/credentials/authenticate.ts'
import type { FailureLimiter } from '../../src/credentials/failure-limiter.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/domain/limits.ts'
import { DEFAULT_TIMEOUTS, type HttpTimeouts } from '../../src/http/connection/timeouts.ts'
import type { TlsIdentity } from '../../src/http/connection/tls-identity.ts'
import { createLog, type Log } from '../../src/http/log/log.ts'
import { AccessGuard } from '../../src/http/request/access-guard.ts'
import { createClientOf } from '../../src/http/request/client-address.ts'
import type { FindSite, HandleDashboard } from '../../src/http/request/handle-request.ts'
import type { Metrics } from '../../src/http/routes/metrics.ts'
import { createServer, type HttpServer } from '../../src/http/server.ts'
import { ImportThreads } from '../../src/import/import-threads.ts'
import type { OperationContext } from '../../src/operations/context.ts'
import { createAdmission } from '../../src/operations/create-admission.ts'
import { holdToQuotas } from '../../src/operations/hold-to-quotas.ts'
import type { DocumentStore } from '../../src/storage/store.ts'
import { selfMadeCertificate } from '../self-made-certificate.ts'
import { directoryOf, NOW, type TestKey } from './key-directory.ts'
import { type OpenedStore, openMemory, openStore } from './open-store.ts'

const NO_SITES = { domain: undefined, urlOf: (host: string) => host }
const SERVICE_NAMES = ['Service', 'Sibling']
const SLUGS = ['demo', 'other', 'constructor']

export interface TestServerOptions {
  /** Stands in for a store in what it has. */
  readonly store?: Partial<DocumentStore>
  readonly limits?: Partial<Limits>
  readonly timeouts?: Partial<HttpTimeouts>
  /** Where a log of everything is written, a line an element. */
  readonly lines?: string[]
  readonly trustProxy?: readonly string[]
  readonly compression?: boolean
  readonly failures?: FailureLimiter
  /** Keys beside those of `TestServer.keys`. */
  readonly moreKeys?: readonly TestKey[]
  /** Length of a long answer's chunks, with the store in memory. */
  readonly chunkLength?: number
  /** What to listen at, by default `localhost`. */
  readonly host?: string
  /** Whether credentials can be checked; without this they always can. */
  readonly isReadable?: () => boolean
  /** What answers under `/_`. */
  readonly dashboard?: HandleDashboard
  /** What answers at the path of metrics. */
  readonly metrics?: Metrics
  /** Which hosts are of sites. */
  readonly findSite?: FindSite
  /** Counts requests. */
  readonly traffic?: CountRequests
  /** Whether its certificate is from an authority, instead of self-made. */
  readonly isCertified?: boolean
}

export interface SendOptions {
  /** Undefined values leave a header out, the key's too. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | Buffer
}

export interface TestAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The text as JSON; only for answers that are. */
  readonly json: unknown
}

/** Starts the HTTP room on a real TLS socket, with real credentials and a store that can be swapped. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { store, apps, close } = await openedStore(options, limits)
  const keys = { full: generateApiKey(), demoOnly: generateApiKey() }
  const directory = directoryOf([...usualKeys(keys), ...(options.moreKeys ?? [])], apps)
  const faults: unknown[] = []
  const { ca, ...tls } = options.isCertified ? await certified() : await selfMade()
  const onFailure = (error: unknown): void => void faults.push(error)
  const bodyWorker = new BodyWorker({ limits, serviceNames: SERVICE_NAMES, onFailure })
  const imports = new ImportThreads({ limits, onFailure })
  const context: OperationContext = {
    store,
    bodyWorker,
    imports,
    directory: () => directory,
    ...createAdmission({ directory: () => directory, sites: NO_SITES, now: () => NOW }),
    ...holdToQuotas({ directory: () => directory, now: () => NOW }),
    limits,
    serviceNames: SERVICE_NAMES,
    now: () => NOW,
    unique: monotonicFactory(),
    uuid: randomUUID,
  }
  const clientOf = createClientOf(options.trustProxy ?? [])
  const server = createServer({
    context,
    guard: new AccessGuard({
      context,
      authenticator: createAuthenticator({ directory: () => directory, now: () => NOW }),
      failures: options.failures ?? { fail: () => undefined },
      clientOf,
      keyUses: { note: () => {} },
    }),
    clientOf,
    ...(options.isReadable && { isReadable: options.isReadable }),
    ...(options.dashboard && { dashboard: options.dashboard }),
    findSite: options.findSite,
    ...(options.traffic && { traffic: options.traffic }),
    metrics: options.metrics,
    tls,
    log: logOf(faults, options.lines),
    compression: options.compression ?? true,
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
  })
  const [address] = await server.listen({ host: options.host ?? 'localhost', port: 0 })
  const opened = { close: () => Promise.all([close(), bodyWorker.close()]) }
  return new TestServer({ server, opened, port: address!.port, ca, keys, faults })
}

async function selfMade(): Promise<TlsIdentity & { ca: string }> {
  const pair = await selfMadeCertificate()
  return { ...pair, ca: pair.cert }
}

async function certified(): Promise<TlsIdentity & { ca: string }> {
  // Loads the library for certificates, which few tests need.
  const { createTestCa } = await import('../acme/test-ca.ts')
  const authority = await createTestCa(Date.now())
  return { ...(await authority.issueWithKey('localhost')), ca: authority.cert }
}

async function openedStore(options: TestServerOptions, limits: Limits): Promise<OpenedStore> {
  const common = { slugs: SLUGS, limits, serviceNames: SERVICE_NAMES }
  if (options.chunkLength !== undefined) return openMemory(common, options.chunkLength)
  if (options.store === undefined) return openStore(common)
  const { apps } = await openMemory(common)
  return { store: options.store as DocumentStore, apps, close: async () => {} }
}

/** A log that keeps the faults, and the lines of a log of everything where they are asked for. */
function logOf(faults: unknown[], lines: string[] | undefined): Log {
  const log = lines === undefined ? createLog('silent') : createLog('debug', (line) => lines.push(line))
  return {
    ...log,
    fault(message, error, id) {
      faults.push([message, error])
      log.fault(message, error, id)
    },
  }
}

function usualKeys({ full, demoOnly }: TestKeys): TestKey[] {
  return [
    { keyId: 'k1', name: 'full', apiKey: full, rules: {} },
    { keyId: 'k2', name: 'demo only', apiKey: demoOnly, rules: { apps: ['demo', 'gone'] } },
  ]
}

interface TestKeys {
  readonly full: string
  /** Limited to the app `demo`, and one that doesn't exist. */
  readonly demoOnly: string
}

interface TestServerParts {
  readonly server: HttpServer
  readonly opened: { readonly close: () => Promise<unknown> }
  readonly port: number
  readonly ca: string
  readonly keys: TestKeys
  readonly faults: readonly unknown[]
}

export class TestServer {
  readonly port: number
  readonly keys: TestKeys
  /** What the server wrote to its log. */
  readonly faults: readonly unknown[]
  private readonly parts: TestServerParts
  private readonly agent: Agent

  constructor(parts: TestServerParts) {
    this.parts = parts
    this.port = parts.port
    this.keys = parts.keys
    this.faults = parts.faults
    this.agent = new Agent({ keepAlive: true, ca: parts.ca, host: 'localhost', servername: 'localhost' })
  }

  /** Sends one request with the full key; the path goes out as it is written. */
  send(method: string, path: string, { headers = {}, body }: SendOptions = {}): Promise<TestAnswer> {
    const all = Object.entries({ 'X-Service-API-Key': this.keys.full, ...headers })
    const sent = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined))
    const { agent, port } = this
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { agent, host: 'localhost', port, method, path, headers: sent },
        (incoming) => {
          let text = ''
          incoming.setEncoding('utf8')
          incoming.on('data', (chunk) => {
            text += chunk
          })
          incoming.on('error', reject)
          incoming.on('end', () => {
            const json = text !== '' && isJson(incoming.headers) ? JSON.parse(text) : undefined
            resolve({ status: incoming.statusCode!, headers: incoming.headers, text, json })
          })
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /** A request's text with the full key; the body's length is declared unless headers say otherwise. */
  written(method: string, path: string, headers: readonly string[] = [], body = ''): string {
    const all = ['Host: localhost', `X-Service-API-Key: ${this.keys.full}`, ...headers]
    const isFramed = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
    if (body !== '' && !isFramed) all.push(`Content-Length: ${Buffer.byteLength(body)}`)
    return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
  }

  /** A TLS connection without a client library. */
  connect(): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const { ca } = this.parts
      const socket = connect({ host: 'localhost', port: this.port, ca }, () => resolve(socket))
      socket.on('error', reject)
    })
  }

  /** Sends bytes as they are; answers everything that comes back until the server ends the connection. */
  async raw(bytes: string | Buffer): Promise<string> {
    const socket = await this.connect()
    const answer = textUntilEnd(socket)
    socket.write(bytes)
    return answer
  }

  async close(): Promise<void> {
    this.agent.destroy()
    await this.parts.server.close()
    await this.parts.opened.close()
  }

  /** Stops the server alone, as a signal would. */
  stop(): Promise<void> {
    return this.parts.server.close()
  }
}

/** Everything that a socket brings until it ends. */
export function textUntilEnd(socket: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
}

function isJson(headers: IncomingHttpHeaders): boolean {
  return headers['content-type'] === 'application/json' && headers['content-encoding'] === undefined
}
