import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { cleanEnvironment, type Environment, SHEAF } from '../cli/run-sheaf.ts'
import { addCertificate } from '../self-made-certificate.ts'
import { Client } from './client.ts'

const START_MS = 20_000
const STOP_MS = 20_000
const LOG_MS = 20_000
/** Tests see that nothing was logged; that a busy machine is slow is no fault of the server. */
const SHEAF_SLOW_MS = '60000'
/** With `SHEAF_TEST_HTTP_THREADS=2` tests start servers of two threads; some are run so by `two-threads`. */
const HTTP_THREADS = process.env.SHEAF_TEST_HTTP_THREADS ?? '1'
/** The specification's `{base_url}` ends at the port; the rest of the greeting is for people. */
const ADDRESS = /Sheaf serves https:\/\/127\.0\.0\.1:(\d+)\n/
const API_KEY = /an API key {2}(shf_[0-9a-z]+) /

export interface ServerOptions {
  /** A folder that is there already, with its key; without one a new one is made, and removed in the end. */
  readonly folder?: string
  readonly apiKey?: string
  /** Such as `SHEAF_LIMIT_SHUTDOWN_MS`. */
  readonly env?: Environment
  /** Octal, of the process; without one it is that of the tests. */
  readonly umask?: string
  /** How many files the process may have open (`ulimit -n`); without it as many as the tests. */
  readonly openFiles?: number
  /** The file by which a process enters a control group. */
  readonly cgroupProcs?: string
  /** Where the log goes instead of to `log`: an open file. */
  readonly stderr?: number
}

interface Greeting {
  /** All that the server printed by the time that it served. */
  readonly greeting: string
  readonly port: number
  readonly apiKey: string
}

/** Processes that have to go when this one does, whatever ends it. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** Starts `bin/sheaf serve` as a process of its own, on a free port, and waits until it serves. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const folder = options.folder ?? (await newFolder())
  const child = spawnServer(folder, options)
  try {
    const greeting = await greeted(child, options.apiKey)
    const ca = readFileSync(join(folder, 'tls', 'cert.pem'), 'utf8')
    return new ServerProcess({ ...greeting, child, folder, ca, ownsFolder: options.folder === undefined })
  } catch (error) {
    child.kill('SIGKILL')
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** The same, until the test ends. */
export async function startServerFor(t: TestContext, options?: ServerOptions): Promise<ServerProcess> {
  const server = await startServer(options)
  t.after(() => server.dispose())
  return server
}

/** A data folder in which there is a certificate and nothing else. */
async function newFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-server-'))
  await addCertificate(folder)
  return folder
}

/** Starts a server and kills it after a while, whatever it was doing; answers the key that it showed, if any. */
export async function startAndKill(folder: string, afterMs: number): Promise<string | undefined> {
  const child = spawnServer(folder)
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const ended = once(child, 'close')
  setTimeout(() => child.kill('SIGKILL'), afterMs)
  await ended
  return API_KEY.exec(text)?.[1]
}

function spawnServer(
  folder: string,
  { env = {}, umask, openFiles, cgroupProcs, stderr }: ServerOptions = {},
): ChildProcess {
  const port = env.SHEAF_PORT ?? '0'
  const words = [SHEAF, 'serve', '--data', folder, '--host', '127.0.0.1', '--port', port]
  const before = [
    ...(umask === undefined ? [] : [`umask ${umask}`]),
    ...(cgroupProcs === undefined ? [] : [`echo $$ > ${cgroupProcs}`]),
    ...(openFiles === undefined ? [] : [`ulimit -n ${openFiles}`]),
  ]
  const [command = '', ...args] =
    before.length === 0 ? words : ['/bin/sh', '-c', `${before.join('; ')}; exec "$@"`, 'sh', ...words]
  const child = spawn(command, args, {
    env: cleanEnvironment({ SHEAF_HTTP_THREADS: HTTP_THREADS, SHEAF_SLOW_MS, ...env }),
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** What a server says once it serves. */
function greeted(child: ChildProcess, apiKey: string | undefined): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    let text = ''
    const timer = setTimeout(() => reject(new Error(`no greeting, only ${JSON.stringify(text)}`)), START_MS)
    const settle = (result: Greeting | Error): void => {
      clearTimeout(timer)
      if (result instanceof Error) reject(result)
      else resolve(result)
    }
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    child.stdout!.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      const port = ADDRESS.exec(text)?.[1]
      const key = API_KEY.exec(text)?.[1] ?? apiKey
      if (port !== undefined && key !== undefined) settle({ greeting: text, port: Number(port), apiKey: key })
    })
    child.once('close', (code) => settle(new Error(`the server ended with ${code}: ${text}`)))
  })
}

interface ServerParts extends Greeting {
  readonly child: ChildProcess
  readonly folder: string
  readonly ca: string
  readonly ownsFolder: boolean
}

/** A server in a process of its own, and a client of it. */
export class ServerProcess {
  readonly folder: string
  readonly greeting: string
  readonly port: number
  readonly apiKey: string
  readonly ca: string
  readonly client: Client
  /** What the server wrote to its log. */
  log = ''
  private readonly child: ChildProcess
  private readonly ownsFolder: boolean

  constructor({ child, folder, greeting, port, apiKey, ca, ownsFolder }: ServerParts) {
    this.child = child
    this.folder = folder
    this.greeting = greeting
    this.port = port
    this.apiKey = apiKey
    this.ca = ca
    this.ownsFolder = ownsFolder
    this.client = this.newClient()
    child.stderr?.on('data', (chunk: string) => {
      this.log += chunk
    })
  }

  /** A client with connections of its own. */
  newClient(connections?: number): Client {
    const { port, apiKey, ca } = this
    return new Client({ port, apiKey, ca, ...(connections !== undefined && { connections }) })
  }

  get pid(): number {
    return this.child.pid!
  }

  /** Resolves when a text is in the log, which comes by a pipe, later than what it tells of. */
  async logged(text: string, from = 0): Promise<void> {
    const signal = AbortSignal.timeout(LOG_MS)
    while (!this.log.slice(from).includes(text)) await once(this.child.stderr!, 'data', { signal })
  }

  isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Resident memory in MiB, read from Linux; undefined elsewhere. */
  memoryMiB(): number | undefined {
    if (process.platform !== 'linux') return undefined
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024
  }

  /** Ends the process as a power cut would. */
  async kill(): Promise<void> {
    const ended = this.ended()
    this.child.kill('SIGKILL')
    await ended
    this.client.close()
  }

  /** Asks the process to stop; answers its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP' = 'SIGTERM'): Promise<number | null> {
    const ended = this.ended()
    this.child.kill(signal)
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
    this.client.close()
    return this.child.exitCode
  }

  /** Ends the process and removes a folder that was made for it. */
  async dispose(): Promise<void> {
    await this.kill()
    if (this.ownsFolder) rmSync(this.folder, { recursive: true, force: true })
  }

  private async ended(): Promise<void> {
    if (this.isRunning()) await once(this.child, 'exit')
  }
}
