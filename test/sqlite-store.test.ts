import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { Filter } from '../src/query/ast.ts'
import { appFile } from '../src/storage/sqlite/files/data-folder.ts'
import { ANYTHING, filterOf, updateOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'
import { describeStore } from './store-contract.ts'

describeStore('SQLite', openSqlite)

const SLOW_QUERY = '{"t":{"$regex":"(a|b)*a(a|b){900}[cd]"}}'

/**
 * Each takes the slow query tens of milliseconds, so that it notices between two of them that it is late. They are so few
 * that any other query is done with all of them in a moment, also by a thread of low priority on a busy machine.
 */
function slowDocuments(): { text: string }[] {
  const random = xorshift(7)
  const text = Array.from({ length: 1600 }, () => (random() & 1 ? 'a' : 'b')).join('')
  return Array.from({ length: 40 }, () => ({ text: `{"t":"${text}"}` }))
}

describe('the embedded store', () => {
  it('gives up a read that overruns its deadline while others go on', async (t) => {
    const opened = await openSqlite({ ...DEFAULT_LIMITS, queryDeadlineMs: 500 })
    t.after(() => opened.close())
    const at = { app: opened.app, collection: 'c' }
    await opened.store.saveDocuments({ ...at, permitted: ANYTHING, documents: slowDocuments() })
    await opened.store.saveDocuments({
      ...at,
      permitted: ANYTHING,
      documents: [{ id: 'x', text: '{"_id":"x"}' }],
    })
    const slow = filterOf(SLOW_QUERY)
    const sort = [{ path: ['t'], direction: 1 as const }]
    const hostile = opened.store.findDocuments({ ...at, filter: slow, sort, skip: 0, limit: 10 })
    const write = opened.store.updateDocuments({
      ...at,
      filter: slow,
      update: updateOf('{"$set":{"a":1}}'),
      multi: true,
      upsert: false,
      now: 0,
    })
    const good = opened.store.getDocument({ ...at, ids: ['x'] })
    const [read, written] = await Promise.allSettled([hostile, write])
    assert.equal(await good, '{"_id":"x"}')
    assert.equal(read.status === 'rejected' && read.reason.code, 'deadline_exceeded')
    assert.equal(written.status === 'rejected' && written.reason.code, 'deadline_exceeded')
    assert.deepEqual(
      await opened.store.saveDocuments({
        ...at,
        permitted: ANYTHING,
        documents: [{ id: 'y', text: '{"_id":"y"}' }],
      }),
      [{ created: true }],
    )
  })

  it('answers a query of the same shape as one that overran its deadline', async (t) => {
    const opened = await openSqlite({ ...DEFAULT_LIMITS, queryDeadlineMs: 500 })
    t.after(() => opened.close())
    const at = { app: opened.app, collection: 'c' }
    await opened.store.saveDocuments({ ...at, permitted: ANYTHING, documents: slowDocuments() })
    const hostile = filterOf(SLOW_QUERY)
    const good = filterOf('{"t":{"$regex":"^c+$"}}')
    const update = { update: updateOf('{"$set":{"a":1}}'), multi: true, upsert: false, now: 0 }
    const page = { skip: 0, limit: 10 }
    const ways: [string, (filter: Filter) => Promise<unknown>, unknown][] = [
      [
        'find',
        async (filter) => (await opened.store.findDocuments({ ...at, ...page, filter, sort: [] })).first,
        '[]',
      ],
      [
        'sort',
        async (filter) => {
          const sorted = { ...at, ...page, filter, sort: [{ path: ['n'], direction: 1 as const }] }
          return (await opened.store.findDocuments(sorted)).first
        },
        '[]',
      ],
      ['count', async (filter) => opened.store.countDocuments({ ...at, filter }), 0],
      [
        'update',
        (filter) => opened.store.updateDocuments({ ...at, ...update, filter }),
        { matched: 0, modified: 0 },
      ],
      ['delete', (filter) => opened.store.deleteDocuments({ ...at, filter }), 0],
    ]
    for (const [name, way, nothing] of ways) {
      await assert.rejects(way(hostile), { code: 'deadline_exceeded' }, name)
      assert.deepEqual(await way(good), nothing, name)
    }
  })

  it('holds up writes for no longer by many slow ones than by one', async (t) => {
    const opened = await openSqlite({ ...DEFAULT_LIMITS, queryDeadlineMs: 500 })
    t.after(() => opened.close())
    const at = { app: opened.app, collection: 'c' }
    await opened.store.saveDocuments({ ...at, permitted: ANYTHING, documents: slowDocuments() })
    const filter = filterOf(SLOW_QUERY)
    const tookMs = async (count: number): Promise<number> => {
      const since = performance.now()
      const slow = Array.from({ length: count }, () => opened.store.deleteDocuments({ ...at, filter }))
      for (const result of await Promise.allSettled(slow))
        assert.equal(result.status === 'rejected' && result.reason.code, 'deadline_exceeded')
      return performance.now() - since
    }
    const oneMs = await tookMs(1)
    const tenMs = await tookMs(10)
    // One after the other they would take ten times as long.
    assert.ok(tenMs < 5 * oneMs, `${tenMs} ms for ten, ${oneMs} ms for one`)
    const saved = { ...at, permitted: ANYTHING, documents: [{ id: 'x', text: '{"_id":"x"}' }] }
    assert.deepEqual(await opened.store.saveDocuments(saved), [{ created: true }])
  })

  it('replaces the thread of a query that can not notice its deadline, and answers what waited behind it', async (t) => {
    const opened = await openSqlite({ ...DEFAULT_LIMITS, queryDeadlineMs: 100 })
    t.after(() => opened.close())
    const at = { app: opened.app, collection: 'c' }
    // Texts without a pattern of their own are what this one takes longest for: about 20 s, linear as it is.
    const random = xorshift(7)
    const text = Array.from({ length: 1_000_000 }, () => (random() & 1 ? 'a' : 'b')).join('')
    await opened.store.saveDocuments({ ...at, permitted: ANYTHING, documents: [{ text: `{"t":"${text}"}` }] })
    const slow = filterOf('{"t":{"$regex":"(a|b)*a(a|b){900}[cd]"}}')
    const find = (filter: Filter) =>
      opened.store.findDocuments({ ...at, filter, sort: [], skip: 0, limit: 10 })
    const hostile = Promise.allSettled([find(slow), find(slow)])
    const others = await Promise.all(Array.from({ length: 6 }, () => find(filterOf('{"t":1}'))))
    assert.deepEqual(
      others.map(({ first }) => first),
      others.map(() => '[]'),
    )
    for (const result of await hostile)
      assert.equal(result.status === 'rejected' && result.reason.code, 'deadline_exceeded')
  })

  it('refuses at once what its queue has no room for', async (t) => {
    const opened = await openSqlite({ ...DEFAULT_LIMITS, queuedRequests: 2 })
    t.after(() => opened.close())
    const at = { app: opened.app, collection: 'c' }
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        opened.store.saveDocuments({ ...at, permitted: ANYTHING, documents: [{ text: '{}' }] }),
      ),
    )
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
    assert.deepEqual(codes, ['done', 'done', 'overloaded', 'overloaded', 'overloaded'])
  })

  it('keeps its files readable by their owner alone', async (t) => {
    const opened = await openSqlite(DEFAULT_LIMITS)
    t.after(() => opened.close())
    await opened.store.saveDocuments({
      app: opened.app,
      collection: 'c',
      permitted: ANYTHING,
      documents: [{ text: '{}' }],
    })
    const file = appFile(opened.dataDir, opened.app)
    for (const path of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(path).mode & 0o777, 0o600)
  })
})

/** Numbers of 32 bits that look random and are the same each time. */
function xorshift(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 16
  }
}
