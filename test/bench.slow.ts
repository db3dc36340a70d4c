import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PEERS } from '../bench/peers.ts'
import { ROWS } from '../bench/rows.ts'
import { type Environment, finished, temporaryFolder } from './cli/run-sheaf.ts'

const MAIN = fileURLToPath(new URL('../bench/main.ts', import.meta.url))
const RESULTS = fileURLToPath(new URL('../bench/RESULTS.md', import.meta.url))
const TINY = '--rounds 1 --seconds 0.1 --connections 4 --scale 0.001 --load built-in --no-write'

/** Every so many rows are run; by hand every one. */
const ROW_STEP = Number(process.env.SHEAF_SLOW_ROW_STEP ?? 1)

/** The servers under test write to its standard error, too, so that it is closed only when all of them are gone. */
function bench(args: string, folder: string, env: Environment = {}): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args.split(' '), '--folder', folder], {
    env: { ...process.env, ...env },
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
      /^there is no row read-by-name; there are read-by-id, read-many-by-id, read-any-by-id, durable-save, /,
    )
  })

  it('leaves neither files nor processes when it is interrupted', async (t) => {
    const folder = temporaryFolder(t)
    const child = bench(`read-by-id ${TINY} --rounds 100000 --peers none`, folder)
    child.stdout!.on('data', (text) => {
      if (String(text).includes('round 1 of')) child.kill('SIGINT')
    })
    const { code, stdout } = await finished(child)
    assert.equal(code, 130)
    assert.match(stdout, /round 1 of 100000: Sheaf \d+\/s/)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('runs its rows, and leaves nothing behind but what it prints', async (t) => {
    const folder = temporaryFolder(t)
    const rows = ROWS.filter((_, index) => index % ROW_STEP === 0)
    const names = rows.map(({ name }) => name).join(' ')
    const before = resultsTime()
    const { code, stdout, stderr } = await finished(bench(`${names} ${TINY} --peers none`, folder))
    assert.equal(code, 0, stderr)
    for (const row of rows) assert.ok(stdout.includes(`## ${row.title}`), `${row.name} has no section`)
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(resultsTime(), before)
  })

  it('goes on without peers that are not in the cache, and says so of each', async (t) => {
    const env = { XDG_CACHE_HOME: temporaryFolder(t) }
    const child = bench(`filter-indexed ${TINY} --peers cached`, temporaryFolder(t), env)
    const { code, stdout, stderr } = await finished(child)
    assert.equal(code, 0, stderr)
    for (const { name } of PEERS)
      assert.match(
        stdout,
        new RegExp(`^- ${RegExp.escape(name)} is left out: .* is not in the cache\\.$`, 'm'),
      )
    assert.deepEqual(readdirSync(env.XDG_CACHE_HOME), [])
  })

  it('measures each peer that is in the cache', async (t) => {
    const folder = temporaryFolder(t)
    // PostgreSQL runs as another user where this is root.
    chmodSync(folder, 0o711)
    const { code, stdout, stderr } = await finished(bench(`durable-save ${TINY} --peers cached`, folder))
    assert.equal(code, 0, stderr)
    for (const { name } of PEERS) {
      const isMeasured = stdout.includes(`| **${name}**: `)
      const isLeftOut = stdout.includes(`- ${name} is left out: `)
      if (isLeftOut) t.diagnostic(`${name} is not in the cache`)
      assert.equal(isMeasured, !isLeftOut, name)
    }
    assert.deepEqual(readdirSync(folder), [])
  })
})
