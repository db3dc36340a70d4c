import {
  connect as connectHttp2,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { request } from 'node:https'
import type { Readable } from 'node:stream'
import { connect } from 'node:tls'

const ANSWER_MS = 30_000
const NO_ERROR = constants.NGHTTP2_NO_ERROR

export type HttpVersion = 'HTTP/1.1' | 'HTTP/2'

export interface Question {
  readonly port: number
  readonly ca: string
  readonly version: HttpVersion
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Where the connection comes from. */
  readonly localAddress?: string
  /** Called with the first of the body, whose rest is read when it is done. */
  readonly onFirst?: () => Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Whether the protocol says that nothing is missing at the end. */
  readonly isWhole: boolean
}

/** Asks a proxy on this machine by a connection of its own. */
export function ask(question: Question): Promise<Answer> {
  return question.version === 'HTTP/2' ? askHttp2(question) : askHttp1(question)
}

function askHttp1(question: Question): Promise<Answer> {
  const { port, ca, path, method = 'GET', headers, body, localAddress } = question
  const all = { Host: `localhost:${port}`, ...lengthOf(body), ...headers }
  const options = {
    host: '127.0.0.1',
    servername: 'localhost',
    agent: false,
    timeout: ANSWER_MS,
    localAddress,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, port, ca, path, method, headers: all }, async (incoming) => {
      const text = await textOf(incoming, question)
      resolve({
        status: incoming.statusCode!,
        headers: incoming.headers,
        text,
        isWhole: incoming.complete,
      })
    })
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path.slice(0, 100)} got no answer`)))
    sent.on('error', reject)
    if (headers?.Expect === undefined) sent.end(body)
    else sent.on('continue', () => sent.end(body)).flushHeaders()
  })
}

function askHttp2(question: Question): Promise<Answer> {
  const { port, ca, path, method = 'GET', headers, body, localAddress } = question
  const tls = { host: '127.0.0.1', servername: 'localhost', port, ca, localAddress, ALPNProtocols: ['h2'] }
  const session = connectHttp2(`https://localhost:${port}`, {
    createConnection: () => connect(tls),
    // A response to a long body is taken while the body still waits here.
    maxSessionMemory: 100,
  })
  const names = { ':method': method, ':path': path, ':authority': `localhost:${port}` }
  return new Promise<Answer>((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request(lowerCase({ ...names, ...lengthOf(body), ...headers }))
    stream.setTimeout(ANSWER_MS, () => stream.destroy(new Error(`${method} ${path.slice(0, 100)} hangs`)))
    let isAnswered = false
    stream.on('response', async (response) => {
      isAnswered = true
      const text = await textOf(stream, question)
      const isWhole = stream.rstCode === NO_ERROR && stream.readableEnded
      resolve({ status: response[':status']!, headers: response, text, isWhole })
    })
    // Behind a response it is the end of that, and tells that it isn't whole.
    stream.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    stream.end(body)
  }).finally(() => session.destroy())
}

function lengthOf(body: Buffer | string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
}

function lowerCase(headers: Readonly<Record<string, string>>): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** All that comes, until the end or a break. */
async function textOf(stream: Readable, { onFirst }: Question): Promise<string> {
  const chunks: Buffer[] = []
  let isFirst = true
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer)
      if (isFirst) await onFirst?.()
      isFirst = false
    }
  } catch {
    // A break; what came before it is the answer.
  }
  return Buffer.concat(chunks).toString()
}
