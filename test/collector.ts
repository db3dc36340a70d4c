import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came to a collector in one request. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface Collector {
  readonly url: string
  readonly received: readonly Received[]
  close(): void
}

/**
 * Takes what OTLP sends over HTTP.
 * @param answer to the request of this number, 200 without it
 */
export async function startCollector(
  answer: (index: number) => Answer = () => ({ status: 200 }),
): Promise<Collector> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks) })
    const { status, headers = {} } = answer(received.length - 1)
    response.writeHead(status, headers).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
