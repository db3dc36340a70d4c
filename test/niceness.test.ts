import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { describe, it } from 'node:test'

/** Opens a store with two background readers in a process of some niceness, and prints how nice its threads are. */
const SCRIPT = `
  const { readdirSync, readFileSync } = require('node:fs')
  const niceness = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16]
  const run = async () => {
    require('node:os').setPriority(Number(process.env.NICENESS))
    const { DEFAULT_LIMITS } = await import('./src/domain/limits.ts')
    const { openSqlite } = await import('./test/open-sqlite.ts')
    const { close } = await openSqlite(DEFAULT_LIMITS)
    console.log(readdirSync('/proc/self/task').map(niceness).join(' '))
    await close()
  }
  run()
`

const NICEST = 19

function nicenessOfThreads(niceness: number): number[] {
  const args = ['--eval', SCRIPT]
  const cwd = new URL('..', import.meta.url)
  const env = { ...process.env, NICENESS: String(niceness) }
  return execFileSync(process.execPath, args, { cwd, env, encoding: 'utf8' }).trim().split(' ').map(Number)
}

describe('background readers', {
  skip: process.platform !== 'linux' && 'a thread has no niceness of its own',
}, () => {
  const own = getPriority()
  for (const [more, patient] of [
    [0, 10],
    [5, 15],
    [15, 19],
  ] as const)
    it(`stand back behind the others in a server that is nicer by ${more}`, () => {
      const server = Math.min(own + more, NICEST)
      const scan = Math.min(own + patient, NICEST)
      const others = nicenessOfThreads(server).filter((each) => each !== own && each !== server)
      assert.deepEqual(others, scan === server ? [] : [scan, scan])
    })
})
