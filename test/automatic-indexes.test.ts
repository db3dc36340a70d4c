import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AutoIndex } from '../src/auto-index/auto-index.ts'
import { IndexAccounts } from '../src/auto-index/index-accounts.ts'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { readFilter, readSort } from '../src/query/read-query.ts'
import { instrumentStore, type StoreObserver } from '../src/query-stats/instrument-store.ts'
import { QueryStats } from '../src/query-stats/query-stats.ts'
import { IndexWorker } from '../src/storage/sqlite/index-worker.ts'
import type { DocumentStore, ReadPlan } from '../src/storage/store.ts'
import { ContractHarness } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

const DOCUMENTS = 6000
/** As often as three indexes would have to be paid for. */
const READS = 60
/** The default of `l`. */
const LIMIT = 1000

let harness: ContractHarness
let worker: IndexWorker
let auto: AutoIndex
let store: DocumentStore

before(async () => {
  const opened = await openSqlite(DEFAULT_LIMITS)
  harness = new ContractHarness(opened)
  worker = new IndexWorker({ dataDir: opened.dataDir })
  const now = () => 0
  const failed = (error: unknown): void => assert.fail(String(error))
  const stats = new QueryStats({ now, slowMs: 500 })
  const accounts = new IndexAccounts({ stats, now })
  const isOn = () => true
  auto = new AutoIndex({ stats, accounts, jobs: worker, isOn, now, tell: () => {}, onFailure: failed })
  const observer: StoreObserver = {
    onRead: (read) => {
      const query = stats.record(read)
      accounts.charge(query, read)
      auto.consider(query)
    },
    onWrites: () => {},
  }
  store = instrumentStore({ store: opened.store, observer, now })
})
after(async () => {
  await worker.close()
  await harness.close()
})

function documentAt(n: number): string {
  const fields = {
    _id: n,
    at: n,
    name: `n${(n * 7919) % DOCUMENTS}`,
    u: `u${n % 2000}`,
    active: 1 + (n % 5),
  }
  return JSON.stringify(fields)
}

async function read(q: string, s: string | undefined): Promise<{ text: string; plan: ReadPlan }> {
  let plan: ReadPlan | undefined
  const { first, rest } = await store.findDocuments({
    ...harness.at,
    filter: readFilter(q, DEFAULT_LIMITS),
    sort: readSort(s, DEFAULT_LIMITS),
    skip: 0,
    limit: LIMIT,
    onReport: (report) => {
      plan = report.plan
    },
  })
  assert.equal(rest, undefined)
  await auto.settled()
  return { text: String(first), plan: plan! }
}

describe('queries that are asked often are served by an index in the end', () => {
  const queries: [what: string, q: string, s: string | undefined, plan: ReadPlan][] = [
    [
      'a range with a sort by another field',
      '{"at":{"$gt":5989}}',
      '{"name":1}',
      { kind: 'index', index: 'at', examined: 10 },
    ],
    [
      'one of several values, with a sort',
      '{"u":{"$in":["u7","u8"]}}',
      '{"at":-1}',
      { kind: 'index', index: 'u', examined: 6 },
    ],
    [
      'a beginning, with a sort',
      '{"u":{"$regex":"^u199"}}',
      '{"at":1}',
      { kind: 'index', index: 'u', examined: 33 },
    ],
    [
      'two ranges, of which the second narrows',
      '{"active":{"$gte":1},"at":{"$gt":5989}}',
      undefined,
      { kind: 'index', index: 'at', examined: 10 },
    ],
  ]
  for (const [what, q, s, plan] of queries)
    it(what, async () => {
      await harness.fresh()
      await harness.save(...Array.from({ length: DOCUMENTS }, (_, n) => documentAt(n)))
      const { text, plan: scan } = await read(q, s)
      assert.deepEqual(scan, { kind: 'scan', examined: DOCUMENTS })
      for (let asked = 1; asked < READS; asked++) assert.equal((await read(q, s)).text, text)
      assert.deepEqual((await read(q, s)).plan, plan)
    })
})
