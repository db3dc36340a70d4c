import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { createAppFile } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'sheaf-connection-'))
const file = join(folder, 'app.sqlite')
createAppFile(file)
after(() => rmSync(folder, { recursive: true }))

/** Writes in transactions of ten milliseconds with a pause of two after each, and counts them in a shared cell. */
const BESIDE = `
  const { workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const db = new DatabaseSync(workerData.file, { timeout: 5000 })
  const cells = new Int32Array(workerData.cells)
  while (Atomics.load(cells, 1) === 0) {
    db.exec('BEGIN IMMEDIATE')
    Atomics.wait(cells, 2, 0, 10)
    db.exec('COMMIT')
    Atomics.add(cells, 0, 1)
    Atomics.notify(cells, 0)
    Atomics.wait(cells, 2, 0, 2)
  }
  db.close()
`
const WRITES = 40

describe('beginning to write', () => {
  it('finds the gaps between the transactions of another connection', async () => {
    const cells = new Int32Array(new SharedArrayBuffer(12))
    const worker = new Worker(BESIDE, { eval: true, workerData: { file, cells: cells.buffer } })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    const connection = new Connection(file, 'writer')
    try {
      Atomics.wait(cells, 0, 0)
      const before = Atomics.load(cells, 0)
      for (let write = 0; write < WRITES; write++) {
        connection.beginWrite()
        connection.run('COMMIT')
        // So that the other one has the lock when the next write wants it.
        Atomics.wait(cells, 2, 0, 3)
      }
      const others = Atomics.load(cells, 0) - before
      assert.ok(others < 3 * WRITES, `${others} transactions of the other went before ${WRITES}`)
    } finally {
      Atomics.store(cells, 1, 1)
      await ended
      connection.close()
    }
  })

  it('fails where another connection keeps the file to itself', () => {
    const first = new Connection(file, 'writer')
    const second = new Connection(file, 'writer', 20)
    first.beginWrite()
    assert.throws(() => second.beginWrite(), { errcode: 5 })
    first.run('COMMIT')
    second.beginWrite()
    second.run('COMMIT')
    first.close()
    second.close()
  })
})

describe('prepared statements', () => {
  it('are forgotten by number and by length, the least recently used first, and those in use never', () => {
    const connection = new Connection(file, 'reader')
    connection.keepStatements({ statements: 20, length: 100_000 })
    const first = connection.prepare('SELECT 1')
    for (let n = 0; n < 19; n++) connection.prepare(`SELECT ${n} AS other`)
    assert.equal(connection.prepare('SELECT 1'), first)
    connection.prepare('SELECT 1 AS last')
    assert.equal(connection.prepare('SELECT 1'), first)
    connection.keepStatements({ statements: 20, length: 10 })
    const inUse = connection.prepare('SELECT 2')
    for (let n = 0; n < 10; n++) connection.prepare(`SELECT ${n} AS ${'x'.repeat(1000)}`)
    assert.deepEqual(inUse.get(), [2])
    for (let n = 0; n < 20; n++) connection.prepare(`SELECT ${n} AS ${'y'.repeat(1000)}`)
    assert.notEqual(connection.prepare('SELECT 2'), inUse)
    connection.close()
  })
})
