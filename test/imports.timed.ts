import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { PackedDocuments } from '../src/storage/packed.ts'
import type { DocumentStore } from '../src/storage/store.ts'
import { ANYTHING } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

/** A million on a machine that has the time for it. */
const DOCUMENTS = Number(process.env.SHEAF_SLOW_DOCUMENTS ?? 100_000)
const DOCUMENT_BYTES = 500
const CHUNK_DOCUMENTS = 2000
const RATE = 20_000
const GROWTH_BYTES = 100 * 1024 * 1024
const LONGEST_WAIT_MS = 100
const MEASURED_EVERY_MS = 5
const ALONE_MS = 1000
const BULK_SAVES = 40
const BULK_DOCUMENTS = 500
/** How many times as long as beside bulk saves a read may take, and from when on that is told from chance. */
const SLOWER_READS = 3
const LEAST_READ_MS = 5

const ID_AT = '{"_id":"'.length
const HEAD = '{"_id":"d000000000","text":"'
const TEMPLATE = Buffer.from(`${HEAD}${'x'.repeat(DOCUMENT_BYTES - HEAD.length - 2)}"}`)

/** Each on the same bytes but for its number, for this thread measures while it makes them. */
function documentsFrom(first: number, count: number): PackedDocuments {
  const texts = new Uint8Array(new SharedArrayBuffer(count * DOCUMENT_BYTES))
  const bytes = Buffer.from(texts.buffer)
  const ends = new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT))
  const ids = Array.from({ length: count }, (_, n) => {
    const id = `d${String(first + n).padStart(9, '0')}`
    ends[n] = (n + 1) * DOCUMENT_BYTES
    TEMPLATE.copy(bytes, n * DOCUMENT_BYTES)
    bytes.write(id, n * DOCUMENT_BYTES + ID_AT)
    return id
  })
  return { ids, texts, ends }
}

/** Does something again and again until it is told to stop, and answers how long each took, in milliseconds. */
function repeatedly(work: (n: number) => Promise<unknown>): () => Promise<number[]> {
  let isOver = false
  const run = async (): Promise<number[]> => {
    const took: number[] = []
    for (let n = 0; !isOver; n++) {
      const since = performance.now()
      await work(n)
      took.push(performance.now() - since)
      await wait(MEASURED_EVERY_MS)
    }
    return took.sort((one, other) => one - other)
  }
  const running = run()
  return () => {
    isOver = true
    return running
  }
}

const p99 = (took: readonly number[]): number => took[Math.floor(took.length * 0.99)]!

interface Beside {
  readonly at: { readonly app: string; readonly collection: string }
  readonly store: DocumentStore
}

/** Saves and reads one document after the other while something is done, and answers how long each took. */
async function beside({ store, at }: Beside, work: () => Promise<unknown>) {
  const other = { ...at, collection: 'other' }
  const save = (n: number): Promise<unknown> =>
    store.saveDocuments({
      ...(n % 2 === 0 ? other : at),
      permitted: ANYTHING,
      documents: [{ id: `s${n % 1000}`, text: `{"_id":"s${n % 1000}","theirs":1}` }],
    })
  const saves = repeatedly(save)
  const reads = repeatedly(async (n) => store.getDocument({ ...other, ids: [`s${n % 1000}`] }))
  await work()
  return { saves: await saves(), reads: await reads() }
}

async function saveInBulk({ store, at }: Beside): Promise<void> {
  for (let n = 0; n < BULK_SAVES; n++)
    await store.saveDocuments({
      ...{ app: at.app, collection: 'bulk', permitted: ANYTHING },
      documents: documentsFrom(n * BULK_DOCUMENTS, BULK_DOCUMENTS),
    })
}

it('imports beside others who write and read, fast, in little memory, and keeps none of them waiting', async (t) => {
  const { store, app, close } = await openSqlite({ ...DEFAULT_LIMITS, queryDeadlineMs: 60_000 })
  t.after(close)
  const parts = { store, at: { app, collection: 'c' } }
  const tell = (name: string, { saves, reads }: Record<'saves' | 'reads', number[]>): void => {
    for (const [what, took] of Object.entries({ saves, reads }))
      t.diagnostic(
        `${name}: ${took.length} ${what}, p99 ${p99(took).toFixed(1)} ms, longest ${took.at(-1)!.toFixed(1)} ms`,
      )
  }
  const alone = await beside(parts, () => wait(ALONE_MS))
  const bulk = await beside(parts, () => saveInBulk(parts))
  const before = process.memoryUsage.rss()
  let most = before
  let seconds = 0
  const imported = await beside(parts, async () => {
    const since = performance.now()
    const staged = await store.beginImport({ ...parts.at, onConflict: 'replace', skipsRefused: false })
    for (let first = 0; first < DOCUMENTS; first += CHUNK_DOCUMENTS) {
      await staged.add(documentsFrom(first, Math.min(CHUNK_DOCUMENTS, DOCUMENTS - first)))
      most = Math.max(most, process.memoryUsage.rss())
    }
    assert.equal((await staged.finish()).created, DOCUMENTS)
    seconds = (performance.now() - since) / 1000
  })
  most = Math.max(most, process.memoryUsage.rss())
  tell('alone', alone)
  tell('beside bulk saves', bulk)
  tell('beside an import', imported)
  const rate = DOCUMENTS / seconds
  t.diagnostic(`${rate.toFixed(0)} documents/s, grew by ${((most - before) / 2 ** 20).toFixed(0)} MiB`)
  assert.ok(rate >= RATE, `${rate} documents/s`)
  assert.ok(most - before <= GROWTH_BYTES, `grew by ${most - before} bytes`)
  // What a save takes anyway is the disk's, and that of the machine's other work.
  const waited = p99(imported.saves) - p99(alone.saves)
  assert.ok(waited <= LONGEST_WAIT_MS, `a save waited ${waited} ms`)
  const slower = p99(imported.reads) / Math.max(LEAST_READ_MS, p99(bulk.reads))
  assert.ok(slower <= SLOWER_READS, `reads took ${slower} times as long as beside bulk saves`)
})
