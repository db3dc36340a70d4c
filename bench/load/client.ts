import { readFileSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import { AnswerReader } from './answer-reader.ts'
import type { LoadRequest, LoadResult } from './load.ts'

interface Settings {
  readonly request: LoadRequest
  readonly connections: number
  readonly seconds: number
  /** Requests of all connections together; each is sent when it is due. Without it, each is sent at once. */
  readonly perSecond?: number
}

/** Keeps connections busy for some seconds and prints what came of it; run as a process of its own. */
async function main(): Promise<void> {
  const { file } = JSON.parse(process.argv[2]!) as { file: string }
  const settings = JSON.parse(readFileSync(file, 'utf8')) as Settings
  const { request, perSecond } = settings
  const requests = (request.paths ?? [request.path]).map((path) => bytesOf({ ...request, path }))
  const opening = Array.from({ length: settings.connections }, () => open(settings.request.port))
  const sockets = await Promise.all(opening)
  const latencies: number[] = []
  const began = performance.now()
  const until = began + settings.seconds * 1000
  const first = Math.floor(Math.random() * requests.length)
  let taken = 0
  const next = (): Turn => {
    const bytes = requests[(first + taken) % requests.length]!
    const due = perSecond === undefined ? 0 : began + (taken * 1000) / perSecond
    taken++
    return { bytes, due }
  }
  await Promise.all(sockets.map((socket) => keepBusy(socket, { next, until, latencies })))
  console.log(JSON.stringify(resultOf(latencies, performance.now() - began)))
}

/** A request, and the moment from which it may be sent. */
interface Turn {
  readonly bytes: Buffer
  readonly due: number
}

function bytesOf({ port, method, path, headers, body = '' }: LoadRequest): Buffer {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers })
  if (body !== '') lines.push(['Content-Length', String(Buffer.byteLength(body))])
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function open(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // The servers under test all have the same self-made certificate.
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => resolve(socket))
    socket.on('error', reject)
  })
}

function keepBusy(
  socket: TLSSocket,
  { next, until, latencies }: { next: () => Turn; until: number; latencies: number[] },
): Promise<void> {
  const reader = new AnswerReader()
  return new Promise((resolve, reject) => {
    let counted = 0
    const send = (now: number): void => {
      const { bytes, due } = next()
      if (due > now) setTimeout(write, due - now, bytes)
      // It waited for the last answer; that belongs to its time.
      else write(bytes, due > 0 ? due : now)
    }
    const write = (bytes: Buffer, from = performance.now()): void => {
      counted = from
      socket.write(bytes)
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    socket.on('data', (chunk: Buffer) => {
      if (!reader.takesLast(chunk)) return
      const now = performance.now()
      latencies.push(now - counted)
      if (now < until) send(now)
      else {
        socket.removeAllListeners('close')
        socket.destroy()
        resolve()
      }
    })
    send(performance.now())
  })
}

function resultOf(latencies: number[], milliseconds: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort()
  const percentile = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)]!
  return {
    requests: sorted.length,
    seconds: milliseconds / 1000,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
  }
}

await main()
