import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { SqliteIndexes } from '../../src/storage/sqlite/sqlite-indexes.ts'
import { json } from '../cli/in-process.ts'
import { runSheaf } from '../cli/run-sheaf.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const PEOPLE = '/apps/demo/collections/people'
const DOCUMENTS = 5000
/** What an index costs of 5,000 documents is reached by 19 scans of all of them. */
const QUERIES = 40
const WAIT_MS = 20_000
const QUERY = `${PEOPLE}?q=${encodeURIComponent('{"age":41}')}`

async function startFilled(t: TestContext, env: Record<string, string>): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-auto-'))
  const server = await startServer({ folder, env: { SHEAF_SLOW_MS: '1', ...env } })
  t.after(async () => {
    await server.dispose()
    rmSync(folder, { recursive: true })
  })
  const people = Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: `p${n}`, age: n % 500 }))
  assert.equal((await server.client.send('POST', PEOPLE, { body: JSON.stringify(people) })).status, 201)
  return server
}

let plans = 0

/** In words that were not used before, white space apart, so that no answer comes from memory. */
async function plan(server: ServerProcess): Promise<{ text: string; timing: string }> {
  plans++
  const spelt = plans.toString(2).replaceAll('0', '%20').replaceAll('1', '%09')
  const { text, headers } = await server.client.send('GET', `${QUERY}${spelt}`)
  return { text, timing: String(headers['server-timing']) }
}

/** Asks the same until an index answers, or the time is over. */
async function askUntilIndexed(server: ServerProcess): Promise<string[]> {
  const answers = new Set<string>()
  const end = performance.now() + WAIT_MS
  for (let asked = 0; asked < QUERIES || performance.now() < end; asked++) {
    const { text, timing } = await plan(server)
    answers.add(text)
    if (timing.includes('desc="index:age"')) return [...answers]
    assert.match(timing, /desc="scan"/)
  }
  throw new Error('no index came to be')
}

function list(server: ServerProcess, ...command: string[]): Promise<Record<string, unknown>[]> {
  return json([...command, 'demo', '--data', server.folder]) as Promise<Record<string, unknown>[]>
}

test('a query that is asked often gets an index of its own, and answers the same by it', async (t) => {
  const server = await startFilled(t, {})
  const answers = await askUntilIndexed(server)
  assert.equal(answers.length, 1)
  assert.equal((JSON.parse(answers[0]!) as unknown[]).length, 10)
  assert.equal(await server.stop(), 0)

  const [index, ...others] = await list(server, 'index', 'list')
  assert.deepEqual(others, [])
  assert.equal(index?.fields, 'age')
  assert.equal(index?.automatic, true)
  assert.equal(index?.unique, false)
  assert.equal(index?.state, 'ready')
  assert.equal(index?.uses, 1)
  const { query, why } = index!.reason as { query: string; why: string }
  assert.equal(query, 'age eq')
  assert.match(why, /^\d+ queries looked at \d+ documents too many$/)

  const [suggested] = await list(server, 'index', 'suggest')
  assert.equal(suggested?.query, 'age eq')
  assert.equal(suggested?.index, 'age')
  // The index may be used a moment before the server has noted that it is ready.
  assert.match(String(suggested?.verdict), /^(built|building) at .* documents too many$/)

  const [slow] = await list(server, 'slow')
  assert.equal(slow?.query, 'age eq')
  assert.match(server.log, /slow query of people: age eq; \d+ ms by scan, 5000 looked at, 10 found/)
})

test('no index is made where they are off, for the server or for the app', async (t) => {
  const off = await startFilled(t, { SHEAF_AUTO_INDEX: 'off' })
  const byApp = await startFilled(t, {})
  const update = ['app', 'update', 'demo', '--auto-index', 'off', '--data', byApp.folder]
  assert.equal((await runSheaf(update)).stdout, 'App demo has automatic indexes off.\n')
  for (const server of [off, byApp]) {
    for (let asked = 0; asked < QUERIES; asked++) assert.match((await plan(server)).timing, /desc="scan"/)
    assert.equal(await server.stop(), 0)
    assert.deepEqual(await list(server, 'index', 'list'), [])
  }
  const verdict = async (server: ServerProcess) => (await list(server, 'index', 'suggest'))[0]?.verdict
  assert.equal(await verdict(off), 'worth an index')
  assert.match(String(await verdict(byApp)), /automatic indexes are off for this app$/)
})

test('an index that a crash left unfinished is finished by the next start', async (t) => {
  const server = await startFilled(t, { SHEAF_AUTO_INDEX: 'off' })
  await server.kill()
  const { folder, apiKey } = server
  const app = readdirSync(join(folder, 'apps'))
    .find((name) => name.endsWith('.sqlite'))!
    .slice(0, -7)
  const indexes = new SqliteIndexes({ dataDir: folder })
  const fields = [{ path: ['age'], direction: 1 as const }]
  await indexes.createIndex({
    app,
    collection: 'people',
    name: 'age',
    fields,
    isUnique: false,
    isAutomatic: false,
    now: 0,
  })
  assert.equal((await indexes.listIndexes(app))[0]?.state, 'building')
  await indexes.close()
  const next = await startServer({ folder, apiKey, env: { SHEAF_AUTO_INDEX: 'off' } })
  t.after(() => next.kill())
  await askUntilIndexed(next)
})
