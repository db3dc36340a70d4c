import type { ChildProcess } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sendOnce } from './client.ts'
import type { RunningServer } from './contender.ts'
import { bulkText, type Filling } from './documents.ts'
import { firstAnswer } from './first-answer.ts'
import type { Kit } from './kit.ts'
import type { LoadRequest } from './load/load.ts'

const SHEAF = fileURLToPath(new URL('../bin/sheaf', import.meta.url))
const BULK_DOCUMENTS = 1000

/** A data folder of Sheaf's with the app `demo`. */
export interface SheafData {
  readonly dataDir: string
  readonly apiKey: string
}

/** A Sheaf server on a data folder of its own. */
export interface SheafServer extends RunningServer, SheafData {
  /** A request for the app `demo`, with the key. */
  request(method: string, path: string, body?: string): LoadRequest
}

/** Starts `bin/sheaf serve` as a user would: on an empty folder, or on data that is there. */
export async function startSheaf(
  kit: Kit,
  { data, args = [] }: { readonly data?: SheafData; readonly args?: readonly string[] } = {},
): Promise<SheafServer> {
  const dataDir = data?.dataDir ?? kit.path('sheaf')
  const child = spawnSheaf(kit, { dataDir, port: 0, args })
  const { port, apiKey } = await greeting(child, data?.apiKey)
  const request = sheafRequest.bind(null, { port, apiKey })
  await firstAnswer(request('GET', 'people?l=1'), 200)
  return { pids: [child.pid!], dataDir, apiKey, request, stop: () => kit.stop(child) }
}

/** The process alone, which says on its standard output when it is up. */
export function spawnSheaf(kit: Kit, { dataDir, port, args = [], env = {} }: SheafLaunch): ChildProcess {
  const serve = ['serve', '--data', dataDir, '--port', String(port), '--host', '127.0.0.1', ...args]
  return kit.spawn(SHEAF, serve, { env: { ...environment(), ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
}

interface SheafLaunch {
  readonly dataDir: string
  readonly port: number
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Runs one of the other commands to its end; answers what it printed. @throws Error where it fails */
export function runSheaf(kit: Kit, args: readonly string[]): Promise<string> {
  return kit.run(SHEAF, args, { env: environment() })
}

/** The Node.js that runs the benchmark runs the server, too; no setting of the user's is taken over. */
function environment(): Record<string, string> {
  return { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }
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
export function identityOf({ dataDir }: SheafData): Identity {
  return { key: join(dataDir, 'tls', 'key.pem'), cert: join(dataDir, 'tls', 'cert.pem') }
}

/** Files in PEM. */
export interface Identity {
  readonly key: string
  readonly cert: string
}

/** Saves so many different documents by bulks. */
export async function fill(
  server: Pick<SheafServer, 'request'>,
  collection: string,
  filling: Filling,
): Promise<void> {
  for (let saved = 0; saved < filling.documents; saved += BULK_DOCUMENTS) {
    const body = bulkText(filling, saved + 1, Math.min(BULK_DOCUMENTS, filling.documents - saved))
    const bulk = server.request('POST', collection, body)
    await sendOnce({ ...bulk, headers: { ...bulk.headers, Prefer: 'return=minimal' } })
  }
}

/** What a server prints when it is up; a later start shows no key. @throws Error where the process ends before that */
function greeting(child: ChildProcess, knownKey?: string): Promise<{ port: number; apiKey: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`Sheaf ended with ${code} before it was up:\n${text}`)))
    child.stdout!.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      const port = /\bSheaf serves https:\S+:(\d+)\n/.exec(text)?.[1]
      // The key is shown before it is made, and what is served is said last.
      const apiKey = knownKey ?? /\bshf_\w+(?=\s)/.exec(text)?.[0]
      if (port !== undefined && apiKey !== undefined) resolve({ port: Number(port), apiKey })
    })
  })
}
