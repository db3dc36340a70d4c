import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openAccountContext, type TestAccountContext } from '../../test/account-context.ts'
import { DEFAULT_LIMITS } from '../domain/limits.ts'
import { parseIndexFields } from '../query/index-fields.ts'
import { readFilter, readSort } from '../query/read-query.ts'
import { QueryStats } from '../query-stats/query-stats.ts'
import type { IndexRecord } from '../storage/index-store.ts'
import type { ReadPlan } from '../storage/store.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { getAppAutoIndex } from './get-app-auto-index.ts'
import { listAppIndexes } from './list-app-indexes.ts'
import { listAppQueries } from './list-app-queries.ts'
import { setAppAutoIndex } from './set-app-auto-index.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SECRET = 'Ada-1815'
const OF_APP = { app: 'demo' }

describe('what the reads of an app cost', () => {
  let test: TestAccountContext
  let owner: AccountCaller
  let app: string
  let stats: QueryStats
  const context = (change: Partial<AccountsContext> = {}) =>
    test.contextWith({
      queryStats: { load: () => stats.snapshot(), save: () => Promise.resolve() },
      ...change,
    })
  const scan = (examined: number): ReadPlan => ({ kind: 'scan', examined })
  const read = (q: string, { of = app, s = '', plan = scan(10), milliseconds = 1 } = {}) =>
    stats.record({
      ...{ app: of, collection: 'people', filter: readFilter(q, DEFAULT_LIMITS) },
      ...{ sort: readSort(s || undefined, DEFAULT_LIMITS), limit: 10, startedAt: 0 },
      report: { plan, returned: 1, milliseconds },
    })

  const indexOf = (name: string): IndexRecord => ({
    ...{ collection: 'people', name, fields: parseIndexFields(name, DEFAULT_LIMITS) },
    ...{ isUnique: name === 'email', isAutomatic: name === 'age', state: 'ready' },
    ...{ documents: 7, builtDocuments: 7, bytes: 4096, createdAt: test.clock.now, collectionNamedAt: 0 },
  })

  before(async () => {
    test = await openAccountContext()
    await test.addAccount('ada')
    owner = (await test.enter('ada@example.org')).caller
    app = (await test.context.accounts.createApp({ slug: 'demo', owner: owner.account.id }, 'test')).id
    stats = new QueryStats({ now: () => test.clock.now, slowMs: 500 })
  })
  after(() => test.close())

  it('is told by the shape of queries, never with a value, the costliest first', async () => {
    read(`{"name":"${SECRET}"}`)
    read(`{"tags":{"$has":"${SECRET}"},"city":{"$in":["${SECRET}"]}}`, { milliseconds: 700.04 })
    read('{"tags":{"$has":"x"},"city":{"$in":["y"]}}', { milliseconds: 100, plan: scan(30) })
    read(`{"bio":{"$regex":"^${SECRET}"},"n":{"$not":{"$gt":1815}}}`, { s: '{"n":-1}', milliseconds: 20 })
    read(`{"name":"${SECRET}"}`, { of: 'another', milliseconds: 9999 })
    const told = await listAppQueries(context(), owner, OF_APP)
    assert.ok(!/1815/.test(JSON.stringify(told)))
    assert.deepEqual(
      told.queries.map(({ query }) => query),
      ['city in, tags has', 'bio prefix, n other; sort n:-1', 'name eq'],
    )
    const { advice, ...first } = told.queries[0]!
    assert.deepEqual(first, {
      ...{ collection: 'people', query: 'city in, tags has', reads: 2, slow: 1 },
      ...{ totalMs: 800, meanMs: 400, maxMs: 700, examined: 40, returned: 2 },
      ...{ lastSeen: '2026-11-29T00:00:00.000Z', plan: { kind: 'scan' } },
    })
    assert.equal(advice.state, 'no-candidate')
    assert.deepEqual([told.since, told.slowMs], ['2026-11-29T00:00:00.000Z', 500])
  })

  it('is told with the index that is there, and which index no read has used', async () => {
    const told = ['name', 'city', 'email', 'age'].map(indexOf)
    const indexes = {
      ...test.context.indexes,
      list: async () => told,
      known: async () => ({ indexes: told, documents: new Map() }),
    }
    const list = () => listAppIndexes(context({ indexes }), owner, OF_APP)
    test.clock.now += 5 * DAY_MS
    read('{"name":"x"}', { plan: { kind: 'index', index: 'name', examined: 1 } })
    const { queries } = await listAppQueries(context({ indexes }), owner, OF_APP)
    const ofName = queries.find(({ query }) => query === 'name eq')!
    assert.deepEqual(ofName.plan, { kind: 'index', index: 'name' })
    assert.deepEqual([ofName.advice.index, ofName.advice.state], ['name', 'ready'])
    test.clock.now += 3 * DAY_MS
    // Of one whose collection was called otherwise at the time nobody knows whether reads use it.
    told.push({ ...indexOf('town'), createdAt: 0, collectionNamedAt: test.clock.now - DAY_MS })
    assert.deepEqual(
      (await list()).map(({ fields, unusedSince }) => [fields, unusedSince]),
      [
        ['name', null],
        ['city', '2026-11-29T00:00:00.000Z'],
        ['email', null],
        ['age', null],
        ['town', null],
      ],
    )
  })

  it('is no reason for an index that nobody asked for, where the owner switches that off', async () => {
    const get = (change = {}) => getAppAutoIndex(context(change), owner, OF_APP)
    const put = (on: boolean) => setAppAutoIndex(context(), owner, { ...OF_APP, on })
    assert.deepEqual(await get(), { on: true, server: true })
    assert.deepEqual(await put(false), { on: false, server: true })
    assert.deepEqual(await get({ isAutoIndexOn: false }), { on: false, server: false })
    assert.deepEqual(await put(true), await get())
    const [entry] = await test.context.accounts.listAudit({ limit: 1 })
    assert.deepEqual(
      [entry?.actor, entry?.action, entry?.subject, entry?.details],
      ['ada@example.org', 'app.update', 'demo', '{"autoIndex":true}'],
    )
  })
})
