import { once } from 'node:events'
import { MessageChannel, type MessagePort, workerData } from 'node:worker_threads'
import type { TlsIdentity } from '../http/connection/tls-identity.ts'
import { createLog, type Log } from '../http/log/log.ts'
import type { SqliteStore } from '../storage/sqlite/client/sqlite-store.ts'
import { joinSqliteStore } from '../storage/sqlite/client/store.ts'
import { errorOf, failureOf } from '../storage/sqlite/protocol/failures.ts'
import { AccountsClient } from './accounts-client.ts'
import { type AssembledHttp, assembleHttp } from './assemble-http.ts'
import { batchingObserver } from './batching-observer.ts'
import type { TrafficReceiver } from './count-traffic.ts'
import type {
  HostCertificateMessage,
  HttpThreadData,
  HttpThreadMessage,
  HttpThreadRequest,
  MetricsMessage,
} from './http-thread-protocol.ts'
import { openTracing } from './open-tracing.ts'

/** Lines of the log travel together; those of a fault or a warning at once. */
const GATHERED_LENGTH = 4096
const GATHERED_MS = 100

/** One of several threads that serve HTTPS on the same port. */
async function run({ config, store: shared, tls, port, control, ...rest }: HttpThreadData): Promise<void> {
  const post = (message: HttpThreadMessage): void => control.postMessage(message)
  const log = relayedLog(config.logLevel, post)
  const store = await joinSqliteStore(shared)
  const observer = batchingObserver((observations) => post({ observations }))
  const accounts = new AccountsClient((port) =>
    control.postMessage({ accounts: port } satisfies HttpThreadMessage, [port]),
  )
  const findCertificate = (host: string) => certificateFrom(control, host)
  const receiver: TrafficReceiver = {
    take: (traffic) => post({ traffic }),
    tell: (tail) => post({ tail }),
    openView: (tailAsked) => control.postMessage({ tailAsked } satisfies HttpThreadMessage, [tailAsked.port]),
  }
  const tracing = await openTracing(config.tracing, log)
  const readMetrics = () => metricsFrom(control)
  const serving = { config, tls, findCertificate, tracing, readMetrics, log, shared: rest.shared }
  const parts = { ...serving, store, observer, accounts, receiver }
  const server = assembleHttp(parts)
  control.on('message', (request: HttpThreadRequest) => obey(request, { server, store, log, post, control }))
  try {
    post({ listening: await server.listen({ host: config.host, port, reusePort: true }) })
  } catch (error) {
    post({ failure: failureOf(error) })
  }
}

/** Made by the thread that started this one, so that it is the same for all. */
async function certificateFrom(control: MessagePort, host: string): Promise<TlsIdentity | undefined> {
  const { port1, port2 } = new MessageChannel()
  control.postMessage({ host, answerTo: port2 } satisfies HttpThreadMessage, [port2])
  const [answer] = (await once(port1, 'message')) as [HostCertificateMessage]
  port1.close()
  return answer
}

/** Made by the thread that started this one, which asks all of them. */
async function metricsFrom(control: MessagePort): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  control.postMessage({ metricsTo: port2 } satisfies HttpThreadMessage, [port2])
  const [answer] = (await once(port1, 'message')) as [MetricsMessage]
  port1.close()
  if ('failure' in answer) throw errorOf(answer.failure)
  return answer.text
}

interface ThreadContext {
  readonly server: AssembledHttp
  readonly store: SqliteStore
  readonly log: Log
  readonly post: (message: HttpThreadMessage) => void
  readonly control: MessagePort
}

async function obey(request: HttpThreadRequest, { server, store, log, post }: ThreadContext): Promise<void> {
  switch (request.ask) {
    case 'certificate':
      server.useCertificate(request.tls)
      return post({ done: 'certificate' })
    case 'host-certificates':
      server.renewHostCertificates()
      return post({ done: 'host-certificates' })
    case 'refresh':
      await store.refreshDirectory()
      return post({ done: 'refresh' })
    case 'watch':
      server.watchTraffic(request.apps)
      return post({ done: 'watch' })
    case 'traffic':
      server.flushTraffic()
      return post({ done: 'traffic' })
    case 'facts':
      post({ facts: server.threadFacts() })
      return post({ done: 'facts' })
    case 'close':
      await server.close()
      await store.close()
      log.end()
      post({ done: 'close' })
      // Ends this thread alone.
      process.exit(0)
      break
    default:
      return request satisfies never
  }
}

/** A log whose lines are written by the thread that started this one, so that they never run into each other. */
function relayedLog(
  level: HttpThreadData['config']['logLevel'],
  post: (message: HttpThreadMessage) => void,
): Log {
  let lines = ''
  const flush = (): void => {
    if (lines !== '') post({ lines })
    lines = ''
  }
  const write = (line: string): void => {
    if (lines === '') setTimeout(flush, GATHERED_MS).unref()
    lines += line
    if (lines.length > GATHERED_LENGTH) flush()
  }
  // What was logged before a failure that ends everything is there to explain it.
  process.on('uncaughtExceptionMonitor', flush)
  return createLog(level, { write, flush, end: flush, close: async () => flush() })
}

void run(workerData as HttpThreadData)
