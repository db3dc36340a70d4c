import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DEFAULT_LIMITS } from '../../src/domain/limits.ts'
import { restoreFolder } from '../../src/storage/sqlite/backup/restore-folder.ts'
import { appFile } from '../../src/storage/sqlite/files/data-folder.ts'
import { runSheaf } from '../cli/run-sheaf.ts'
import { Client } from '../server/client.ts'
import { type ServerProcess, startServer } from '../server/start-server.ts'

export interface BesideWrites {
  /** Documents that there are before, and bytes of each. */
  readonly documents: number
  readonly documentBytes: number
  /** Saves a second, and how many are under way at most. */
  readonly rate: number
  readonly writers: number
}

export interface BackedUpBesideWrites {
  readonly backupBytes: number
  readonly backupMs: number
  /** Acknowledged before the backup began, and while it was made. */
  readonly before: number
  readonly during: number
  /** Milliseconds that saves took while it was made. */
  readonly longest: number
  readonly p99: number
  /** The same without a backup. */
  readonly calm: { readonly longest: number; readonly p99: number }
}

const COLLECTION = '/apps/demo/collections/things'
/** How long it is written before the backup begins. */
const CALM_MS = 1000
const BULK_BYTES = 16 * 1024 * 1024

/**
 * Makes a backup by the command line beside a server that is written to, restores it, and sees to it that every document is
 * there that was acknowledged before it began, and of those that came later, a beginning of each writer's.
 */
export async function backUpBesideWrites(options: BesideWrites): Promise<BackedUpBesideWrites> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-beside-'))
  const server = await startServer()
  try {
    await fill(server, options)
    const load = new Load(server, options)
    load.start()
    await load.untilAcknowledged(Math.ceil((options.rate * CALM_MS) / 1000))
    const calm = load.takeLatencies()
    const before = load.acknowledged()
    const began = performance.now()
    const file = join(folder, 'backup.zip')
    const { code, stderr } = await runSheaf(['backup', file, '--data', server.folder])
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    const backupMs = performance.now() - began
    const during = load.takeLatencies()
    await load.stop()
    const restored = join(folder, 'restored')
    await restoreFolder({ source: file, dataDir: restored, limits: DEFAULT_LIMITS })
    requireAll(restored, { before, documents: options.documents })
    return {
      ...{ backupBytes: statSync(file).size, backupMs },
      ...{ before: before.reduce((sum, each) => sum + each, 0), during: during.length },
      ...spread(during),
      calm: spread(calm),
    }
  } finally {
    await server.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(server: ServerProcess, { documents, documentBytes }: BesideWrites): Promise<void> {
  const { port, ca, apiKey } = server
  const client = new Client({ port, ca, apiKey })
  // Half of each document can't be compressed.
  const text = (): string => randomBytes(documentBytes / 4).toString('hex') + 'x'.repeat(documentBytes / 2)
  const perBulk = Math.min(10_000, Math.floor(BULK_BYTES / documentBytes))
  for (let from = 0; from < documents; from += perBulk) {
    const ids = Array.from({ length: Math.min(perBulk, documents - from) }, (_, index) => from + index)
    const body = ids.map((_id) => JSON.stringify({ _id, text: text() })).join('\n')
    const headers = { 'Content-Type': 'application/x-ndjson', Prefer: 'return=minimal' }
    assert.equal((await client.send('POST', COLLECTION, { headers, body })).status, 201)
  }
  client.close()
}

/** Writers that each save one document after another, so many a second together. */
class Load {
  private readonly client: Client
  private readonly rate: number
  private readonly counts: number[]
  private latencies: number[] = []
  private isStopped = false
  private running: Promise<unknown> = Promise.resolve()
  private onAcknowledged = (): void => {}

  constructor({ port, ca, apiKey }: ServerProcess, { rate, writers }: BesideWrites) {
    this.client = new Client({ port, ca, apiKey, connections: writers })
    this.rate = rate
    this.counts = Array.from({ length: writers }, () => 0)
  }

  start(): void {
    const began = performance.now()
    this.running = Promise.all(this.counts.map((_, writer) => this.write(writer, began)))
  }

  /** How many of each writer's were acknowledged. */
  acknowledged(): readonly number[] {
    return [...this.counts]
  }

  untilAcknowledged(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.onAcknowledged = () => {
        if (this.counts.reduce((sum, each) => sum + each, 0) >= count) resolve()
      }
    })
  }

  takeLatencies(): number[] {
    const taken = this.latencies
    this.latencies = []
    return taken
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
    this.client.close()
  }

  private async write(writer: number, began: number): Promise<void> {
    const headers = { 'Content-Type': 'application/json', Prefer: 'return=minimal' }
    const everyMs = (1000 * this.counts.length) / this.rate
    for (let n = 0; !this.isStopped; n++) {
      const due = began + (n + writer / this.counts.length) * everyMs
      const early = due - performance.now()
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      const at = performance.now()
      const body = JSON.stringify({ _id: `${writer}-${n}`, n })
      const { status } = await this.client.send('POST', COLLECTION, { headers, body })
      assert.equal(status, 201)
      this.latencies.push(performance.now() - at)
      this.counts[writer] = n + 1
      this.onAcknowledged()
    }
  }
}

function requireAll(
  dataDir: string,
  { before, documents }: { readonly before: readonly number[]; readonly documents: number },
): void {
  const [app] = readdirSync(join(dataDir, 'apps')).filter((name) => name.endsWith('.sqlite'))
  const db = new DatabaseSync(appFile(dataDir, app!.replace('.sqlite', '')))
  try {
    const numbers = db.prepare("SELECT count(*) AS n FROM c1 WHERE typeof(id) <> 'text'").get()
    assert.equal(numbers!.n, documents)
    const kept = before.map(() => new Set<number>())
    for (const { id } of db.prepare("SELECT id FROM c1 WHERE typeof(id) = 'text'").all()) {
      const [writer, n] = String(id).split('-').map(Number)
      kept[writer!]!.add(n!)
    }
    for (const [writer, set] of kept.entries()) {
      assert.ok(
        set.size >= before[writer]!,
        `writer ${writer} had ${before[writer]} acknowledged, ${set.size} are there`,
      )
      for (let n = 0; n < set.size; n++) assert.ok(set.has(n), `${writer}-${n} is missing before a later one`)
    }
  } finally {
    db.close()
  }
}

function spread(latencies: readonly number[]): { longest: number; p99: number } {
  const sorted = latencies.toSorted((one, other) => one - other)
  return { longest: sorted.at(-1) ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}
