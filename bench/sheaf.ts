import type { ChildProcess } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sendOnce } from './client.ts'
import type { RunningServer } from './contender.ts'
import { bulkText } from './documents.ts'
import { freePort } from './free-port.ts'
import type { Kit } from './kit.ts'
import type { LoadRequest } from './load/load.ts'

const SHEAF = fileURLToPath(new URL('../bin/sheaf', import.meta.url))
const BULK_DOCUMENTS = 1000

/** A Sheaf server on a data folder of its own. */
export interface SheafServer extends RunningServer {
  readonly dataDir: string
  /** A request for the app `demo`, with the key. */
  request(method: string, path: string, body?: string): LoadRequest
}

/** Starts `bin/sheaf serve` as a user would, on an empty folder. */
export async function startSheaf(kit: Kit): Promise<SheafServer> {
  const dataDir = kit.path('sheaf')
  const port = await freePort()
  const child = spawnSheaf(kit, { dataDir, port })
  const apiKey = await printedKey(child)
  return {
    pid: child.pid!,
    dataDir,
    request: sheafRequest.bind(null, { port, apiKey }),
    stop: () => kit.stop(child),
  }
}

/** The process alone, which says on its standard output when it is up. */
export function spawnSheaf(
  kit: Kit,
  { dataDir, port, env = {} }: { dataDir: string; port: number; env?: Record<string, string> },
): ChildProcess {
  return kit.spawn(SHEAF, ['serve', '--data', dataDir, '--port', String(port), '--host', '127.0.0.1'], {
    // The Node.js that runs the benchmark runs the server, too; no setting of the user's is taken over.
    env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

export function sheafRequest(
  { port, apiKey }: { readonly port: number; readonly apiKey: string },
  method: string,
  path: string,
  body?: string,
): LoadRequest {
  const key = { 'X-Service-API-Key': apiKey }
  const base = { port, method, path: `/apps/demo/collections/${path}` }
  if (body === undefined) return { ...base, headers: key }
  return { ...base, headers: { ...key, 'Content-Type': 'application/json' }, body }
}

/** The certificate that Sheaf made, for the servers that it is compared with. */
export function identityOf({ dataDir }: SheafServer): { readonly key: string; readonly cert: string } {
  return { key: join(dataDir, 'tls', 'key.pem'), cert: join(dataDir, 'tls', 'cert.pem') }
}

/** Saves so many different documents by bulks. */
export async function fill(
  server: Pick<SheafServer, 'request'>,
  collection: string,
  { documents, bytes }: { documents: number; bytes: number },
): Promise<void> {
  for (let saved = 0; saved < documents; saved += BULK_DOCUMENTS) {
    const body = bulkText(Math.min(BULK_DOCUMENTS, documents - saved), bytes, saved + 1)
    await sendOnce(server.request('POST', collection, body))
  }
}

/** The key that a first start prints when it is up. @throws Error where the process ends before that */
export function printedKey(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`Sheaf ended with ${code} before it was up:\n${text}`)))
    child.stdout!.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      const key = /\bshf_\w+(?=\s)/.exec(text)?.[0]
      if (key !== undefined) resolve(key)
    })
  })
}
