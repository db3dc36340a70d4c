import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from '../../src/storage/sqlite/files/connection.ts'
import { checkCatalog } from '../check-catalog.ts'
import { cleanEnvironment, SHEAF } from '../cli/run-sheaf.ts'
import type { Client } from './client.ts'
import { Ledger, verify } from './crash-ledger.ts'
import { CrashWriter } from './crash-writer.ts'
import { SeededRandom } from './seeded-random.ts'
import { type ServerProcess, startAndKill, startServer } from './start-server.ts'

const WRITERS = 16
/** Bounds of the time for which a round writes before its server is killed. */
const WRITING_MS = { least: 30, most: 900 }
/** Indexes that are made while a round writes, on scalars and on arrays. */
const INDEXES = [
  ['slots', 'writer'],
  ['counters', 'tokens,n'],
] as const
/** Bounds of the time after which a server that is starting, and mending its files, is killed once more. */
const STARTING_MS = { least: 0, most: 600 }

export interface CrashOptions {
  readonly rounds: number
  readonly seed: number
  readonly log: (line: string) => void
}

export interface CrashResult {
  /** Servers that were killed. */
  readonly kills: number
  /** Requests that were acknowledged and looked for. */
  readonly checked: number
}

/**
 * Lets many connections write, kills the server at a random moment, starts another one on the same folder and checks
 * that everything that was acknowledged is there, and nothing by halves; and so on, on one folder for all rounds.
 * @throws AssertionError at the first thing that is wrong
 */
export async function crashRounds({ rounds, seed, log }: CrashOptions): Promise<CrashResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-crash-'))
  const run = new CrashRun(folder, seed)
  let failed = true
  try {
    await run.begin()
    for (let round = 1; round <= rounds; round++) log(`round ${round}: ${await run.round(round)}`)
    failed = false
    return run.result
  } finally {
    await run.end()
    if (failed) log(`seed ${seed} failed; the data is kept in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

class CrashRun {
  private readonly folder: string
  private readonly random: SeededRandom
  private server: ServerProcess | undefined
  private apiKey = ''
  /** The round before, which has to be there as it was after one more crash. */
  private previous: { ledger: Ledger; listings: ReadonlyMap<string, string> } | undefined
  private readonly dropped = new Set<string>()
  private readonly apps = new Set(['demo'])
  private lastAssignedId = ''
  private kills = 0
  private checked = 0

  constructor(folder: string, seed: number) {
    this.folder = folder
    this.random = new SeededRandom(seed)
  }

  get result(): CrashResult {
    return { kills: this.kills, checked: this.checked }
  }

  async begin(): Promise<void> {
    this.server = await startServer({ folder: this.folder })
    this.apiKey = this.server.apiKey
  }

  async round(number: number): Promise<string> {
    const ledger = new Ledger(number)
    const afterMs = this.random.integer(WRITING_MS.least, WRITING_MS.most)
    const appMade = await this.writeAndKill(ledger, afterMs)
    if (appMade !== undefined) this.apps.add(appMade)
    const indexes = checkFiles(this.folder)
    if (this.random.next() < 0.5) {
      await startAndKill(this.folder, this.random.integer(STARTING_MS.least, STARTING_MS.most))
      this.kills++
      checkFiles(this.folder)
    }
    this.server = await startServer({ folder: this.folder, apiKey: this.apiKey })
    await this.verifyAll(this.server.client, ledger)
    const writes = ledger.acknowledgedWrites
    this.checked += writes
    return `killed after ${afterMs} ms with ${writes} writes acknowledged and ${indexes} indexes begun`
  }

  async end(): Promise<void> {
    await this.server?.kill()
  }

  /** Answers the app that the command line made meanwhile, where it said that it did. */
  private async writeAndKill(ledger: Ledger, afterMs: number): Promise<string | undefined> {
    const server = this.server!
    const clients = Array.from({ length: WRITERS }, () => server.newClient(1))
    // Connected before the time begins, so that all of it goes into writing.
    await Promise.all(clients.map((client) => client.send('GET', '/')))
    const writers = clients.map((client, number) => {
      const random = new SeededRandom(this.random.integer(0, 2 ** 32 - 1))
      return new CrashWriter({ number, client, ledger, random }).run()
    })
    const slug = `round-${ledger.round}`
    const command = this.runBeside('app', 'create', slug)
    const commandEnded = once(command, 'exit')
    const indexing = INDEXES.map(([kind, fields]) =>
      this.runBeside('index', 'create', 'demo', ledger.collection(kind), fields),
    )
    const indexingEnded = indexing.map((each) => once(each, 'exit'))
    await Promise.race([wait(afterMs), Promise.all(writers)])
    await server.kill()
    for (const each of [command, ...indexing]) each.kill('SIGKILL')
    this.kills++
    const [code] = await commandEnded
    await Promise.all(indexingEnded)
    await Promise.all(writers)
    for (const client of clients) client.close()
    return code === 0 ? slug : undefined
  }

  /** A command that works on the folder of the running server. */
  private runBeside(...args: string[]): ChildProcess {
    return spawn(SHEAF, [...args, '--data', this.folder], { env: cleanEnvironment(), stdio: 'ignore' })
  }

  private async verifyAll(client: Client, ledger: Ledger): Promise<void> {
    const list = (collection: string): Promise<string> => listed(client, collection)
    await verify(ledger, list)
    await this.verifyPrevious(client)
    this.verifyAssignedIds(await list(ledger.collection('created')))
    assert.ok(this.apps.isSubsetOf(new Set(JSON.parse(await answered(client, '/apps')))), 'an app was lost')
    const names = new Set(JSON.parse(await answered(client, '/apps/demo/collections')) as string[])
    assert.ok(names.isDisjointFrom(this.dropped), 'a collection that was dropped is back')
    const listings = new Map<string, string>()
    for (const collection of ledger.collections()) listings.set(collection, await list(collection))
    this.previous = { ledger, listings }
  }

  /** What the round before left is the same after one more crash; then it is dropped. */
  private async verifyPrevious(client: Client): Promise<void> {
    if (this.previous === undefined) return
    for (const [collection, text] of this.previous.listings) {
      assert.equal(await listed(client, collection), text)
      const answer = await client.send('DELETE', `/apps/demo/collections/${collection}?drop=true`)
      assert.equal(answer.status, 200, answer.text)
      this.dropped.add(collection)
    }
  }

  /** Ids that are assigned after a crash are greater than all before it. */
  private verifyAssignedIds(text: string): void {
    const ids = (JSON.parse(text) as { _id: string }[]).map(({ _id }) => _id)
    if (ids.length === 0) return
    assert.ok(ids[0]! > this.lastAssignedId, `${ids[0]} was assigned after ${this.lastAssignedId}`)
    this.lastAssignedId = ids.at(-1)!
  }
}

function listed(client: Client, collection: string): Promise<string> {
  return answered(client, `/apps/demo/collections/${collection}?l=1000000`)
}

async function answered(client: Client, path: string): Promise<string> {
  const answer = await client.send('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}

/** Asks SQLite about every database, and whether counts and indexes are those of the documents, in a copy, so that the server still finds all as the crash left it. */
function checkFiles(folder: string): number {
  let indexes = 0
  const copy = mkdtempSync(join(tmpdir(), 'sheaf-crash-copy-'))
  try {
    cpSync(folder, copy, { recursive: true })
    const files = globSync('{control.sqlite,apps/*.sqlite}', { cwd: copy })
    assert.ok(files.length >= 2, 'there are no databases')
    for (const file of files) {
      const db = new DatabaseSync(join(copy, file))
      try {
        assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' }, file)
      } finally {
        db.close()
      }
    }
    for (const app of appsIn(join(copy, 'control.sqlite'))) {
      const connection = new Connection(join(copy, 'apps', `${app}.sqlite`), 'writer')
      try {
        indexes += checkCatalog(connection)
      } finally {
        connection.close()
      }
    }
    return indexes
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** The apps that there are; what a creation that was killed may have left has no name and is none. */
function appsIn(controlFile: string): string[] {
  const db = new DatabaseSync(controlFile)
  try {
    return db
      .prepare('SELECT id FROM apps')
      .all()
      .map(({ id }) => String(id))
  } finally {
    db.close()
  }
}
