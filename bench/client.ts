import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type RequestOptions, request } from 'node:https'
import type { LoadRequest } from './load/load.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, as they were written. */
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/**
 * Sends one request on a connection of its own.
 * @throws Error where the answer has another status than the wanted one, or is not 2xx where none is named
 */
export function sendOnce(sent: LoadRequest, wanted?: number): Promise<Answer> {
  const { method, path, body } = sent
  return new Promise((resolve, reject) => {
    const outgoing = request(optionsFor(sent, false), (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        const { statusCode: status = 0, headers, rawHeaders } = incoming
        const isWanted = wanted === undefined ? status >= 200 && status < 300 : status === wanted
        if (isWanted) resolve({ status, headers, rawHeaders, body: text })
        else reject(new Error(`${method} ${path} was answered ${status}: ${text}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Reads one answer to its end and lets go of it; answers how many bytes its body has. */
export function drain(sent: LoadRequest, agent: Agent | false = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(optionsFor(sent, agent), (incoming) => {
      let bytes = 0
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        if (incoming.statusCode === 200) resolve(bytes)
        else reject(new Error(`${sent.method} ${sent.path} was answered ${incoming.statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Sends each path of a request once, on a few connections that are kept, so that a server that keeps what it read does. */
export async function sendEach(sent: LoadRequest): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: WARMING_CONNECTIONS, rejectUnauthorized: false })
  const paths = (sent.paths ?? [sent.path]).values()
  const sendOn = async (): Promise<void> => {
    for (const path of paths) await drain({ ...sent, path }, agent)
  }
  await Promise.all(Array.from({ length: WARMING_CONNECTIONS }, sendOn))
  agent.destroy()
}

const WARMING_CONNECTIONS = 16

function optionsFor({ port, method, path, headers }: LoadRequest, agent: Agent | false): RequestOptions {
  // The servers under test all have the same self-made certificate.
  return { host: '127.0.0.1', port, method, path, headers, agent, rejectUnauthorized: false }
}
