import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { monotonicFactory } from 'ulid'
import type { Identity } from '../sheaf.ts'
import { serveTls } from './serve-tls.ts'
import { openTable } from './store-table.ts'

export interface BareSettings {
  readonly identity: Identity
  /**
   * `answer`: a constant. `take`: reads the whole body, then answers a constant. `store`: parses the body, inserts it
   * inline in a transaction of its own, and answers the document with its new id.
   */
  readonly work: 'answer' | 'take' | 'store'
  readonly status: number
  readonly headers: readonly string[]
  readonly bodyFile: string
  /** For `store`. */
  readonly database?: string | undefined
}

/** The least that a Node.js server can do for a request; run as a process of its own. */
function main(): void {
  const settings = JSON.parse(process.argv[2]!) as BareSettings
  serveTls(settings.identity, listenerFor(settings))
}

function listenerFor(settings: BareSettings): RequestListener {
  const { work, status, bodyFile } = settings
  const headers = [...settings.headers]
  const body = readFileSync(bodyFile, 'utf8')
  if (work === 'answer') return (_, response) => response.writeHead(status, headers).end(body)
  if (work === 'take')
    return (request, response) => withBody(request, () => response.writeHead(status, headers).end(body))
  const table = openTable(settings.database!)
  const nextId = monotonicFactory()
  return (request, response) =>
    withBody(request, (bytes) => {
      const _id = nextId()
      const text = JSON.stringify({ _id, ...JSON.parse(bytes.toString()) })
      table.insert.run(_id, text)
      response.writeHead(status, headers).end(text)
    })
}

function withBody(request: IncomingMessage, then: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => then(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
}

main()
