import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { ImportThreads } from '../src/import/import-threads.ts'

const DOCUMENTS = Number(process.env.SHEAF_SLOW_DOCUMENTS ?? 20_000)
/** About 64 KB, as pieces of a body have. */
const BLOCK_DOCUMENTS = 125
const TEXT = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt '

/** Fields as documents of 500 bytes have them. */
const row = (n: number) => ({
  ...{ _id: `k${n}`, name: `name ${n}`, email: `someone${n}@example.org`, age: n % 90, score: n * 1.5 },
  ...{ active: n % 2 === 0, street: 'Main Street 12, back door', city: 'Springfield', zip: '01234' },
  text: TEXT.repeat(4).slice(0, 300),
})
const cell = (value: unknown): string => (/[",]/.test(String(value)) ? `"${value}"` : String(value))

/** What a file begins with, what each document is written as, and what is at its end. */
const FILES = {
  ndjson: { head: '', one: (n: number) => `${JSON.stringify(row(n))}\n`, tail: '' },
  json: { head: '[', one: (n: number) => `${JSON.stringify(row(n))},\n`, tail: '{}]' },
  csv: {
    head: `${Object.keys(row(0)).join()}\r\n`,
    one: (n: number) => `${Object.values(row(n)).map(cell).join()}\r\n`,
    tail: '',
  },
}

/** A file whose documents come again and again, so that it takes no memory itself. */
async function* fileOf(format: keyof typeof FILES): AsyncGenerator<Buffer> {
  const { head, one, tail } = FILES[format]
  const block = Buffer.from(Array.from({ length: BLOCK_DOCUMENTS }, (_, n) => one(n)).join(''))
  yield Buffer.from(head)
  for (let n = 0; n < DOCUMENTS; n += BLOCK_DOCUMENTS) yield block
  yield Buffer.from(tail)
}

/** Processor time for each document, on all threads: 50 µs are 20,000 a second. */
const MOST_MICROSECONDS = { ndjson: 50, json: 50, csv: 75 }

describe('reading a file that is imported', () => {
  const threads = new ImportThreads({
    limits: DEFAULT_LIMITS,
    onFailure: (error) => assert.fail(String(error)),
  })
  after(() => threads.close())

  for (const format of ['ndjson', 'json', 'csv'] as const)
    it(`of ${format} keeps up with the writer, and takes no memory for what was read`, async (t) => {
      const rules = {
        isExtended: false,
        types: new Map(),
        delimiter: ',',
        skipsBad: false,
        isCheck: false,
      } as const
      const before = process.memoryUsage.rss()
      const since = process.cpuUsage()
      let count = 0
      let most = before
      for await (const batch of threads.read(fileOf(format), { format, ...rules })) {
        count += batch.count
        most = Math.max(most, process.memoryUsage.rss())
      }
      const { user, system } = process.cpuUsage(since)
      const microseconds = (user + system) / count
      const growth = (most - before) / 1024 / 1024
      t.diagnostic(
        `${microseconds.toFixed(1)} µs for each of ${count} documents, ${growth.toFixed(0)} MiB more`,
      )
      assert.ok(count >= DOCUMENTS)
      assert.ok(microseconds < MOST_MICROSECONDS[format], `${microseconds} µs`)
      assert.ok(growth < 100, `${growth} MiB`)
    })
})
