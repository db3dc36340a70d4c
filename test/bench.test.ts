import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AnswerReader } from '../bench/load/answer-reader.ts'
import { ROWS } from '../bench/rows.ts'
import { ratioOf, spreadOf } from '../bench/statistics.ts'
import { finished, temporaryFolder } from './cli/run-sheaf.ts'

const MAIN = fileURLToPath(new URL('../bench/main.ts', import.meta.url))
const RESULTS = fileURLToPath(new URL('../bench/RESULTS.md', import.meta.url))
const TINY = '--seconds 0.1 --connections 4 --scale 0.01 --load built-in --no-write'

/** The servers under test write to its standard error, too, so that it is closed only when all of them are gone. */
function bench(args: string, folder: string): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args.split(' '), '--folder', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function resultsTime(): number | undefined {
  return statSync(RESULTS, { throwIfNoEntry: false })?.mtimeMs
}

describe('the benchmark', () => {
  it('refuses a row that it does not have, and names those that it has', async (t) => {
    const { code, stderr } = await finished(bench(`read-by-name ${TINY}`, temporaryFolder(t)))
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^there is no row read-by-name; there are read-by-id, read-many-by-id, durable-save, /,
    )
  })

  it('leaves neither files nor processes when it is interrupted', async (t) => {
    const folder = temporaryFolder(t)
    const child = bench(`read-by-id --rounds 100000 ${TINY}`, folder)
    child.stdout!.on('data', (text) => {
      if (String(text).includes('round 1 of')) child.kill('SIGINT')
    })
    const { code, stdout } = await finished(child)
    assert.equal(code, 130)
    assert.match(stdout, /round 1 of 100000: Sheaf \d+\/s/)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('runs every row, and leaves nothing behind but what it prints', async (t) => {
    const folder = temporaryFolder(t)
    const before = resultsTime()
    const { code, stdout, stderr } = await finished(bench(`--rounds 1 ${TINY}`, folder))
    assert.equal(code, 0, stderr)
    for (const row of ROWS) assert.ok(stdout.includes(`## ${row.title}`), `${row.name} has no section`)
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(resultsTime(), before)
  })
})

describe('the built-in load generator', () => {
  it('refuses an answer that is no success', () => {
    const reader = new AnswerReader()
    const answer = Buffer.from('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}')
    assert.throws(() => reader.takesLast(answer), /the server answered HTTP\/1\.1 503/)
  })

  it('knows where an answer ends, in whatever pieces it comes', () => {
    const reader = new AnswerReader()
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n{"":'
    for (let round = 0; round < 2; round++)
      for (let at = 1; at <= answer.length; at++)
        assert.equal(reader.takesLast(Buffer.from(answer[at - 1]!)), at === answer.length)
    assert.equal(reader.takesLast(Buffer.from(answer)), true)
  })

  it('knows where an answer in chunks ends', () => {
    const reader = new AnswerReader()
    assert.equal(
      reader.takesLast(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')),
      false,
    )
    assert.equal(reader.takesLast(Buffer.from('4\r\n[{},\r\n3\r\n{}]')), false)
    assert.equal(reader.takesLast(Buffer.from('\r\n0\r')), false)
    assert.equal(reader.takesLast(Buffer.from('\n\r\n')), true)
    assert.equal(reader.takesLast(Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')), true)
  })
})

describe("the benchmark's statistics", () => {
  it('give the median of an odd and of an even number of rounds', () => {
    assert.deepEqual(spreadOf([30, 10, 20]), { median: 20, least: 10, most: 30 })
    assert.deepEqual(spreadOf([4, 1, 2, 10]), { median: 3, least: 1, most: 10 })
  })

  it('take a ratio inside each round', () => {
    // The medians' own ratio would be 20 / 40.
    assert.deepEqual(ratioOf([10, 20, 90], [40, 20, 45]), { median: 1, least: 0.25, most: 2 })
  })
})
