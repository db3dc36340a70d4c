import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DEFAULT_LIMITS, type Limits } from '../src/domain/limits.ts'
import type { SqliteStore } from '../src/storage/sqlite/client/sqlite-store.ts'
import { joinSqliteStore } from '../src/storage/sqlite/client/store.ts'
import { openAccounts } from '../src/storage/sqlite/control/open-accounts.ts'
import type { FindResult } from '../src/storage/store.ts'
import { ANYTHING, filterOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

/** A store, and two clients of it as threads of HTTP are. */
async function shared(t: TestContext, limits: Partial<Limits> = {}) {
  const opened = await openSqlite({ ...DEFAULT_LIMITS, ...limits })
  const [one, other] = await Promise.all([
    joinSqliteStore(opened.store.share(2)),
    joinSqliteStore(opened.store.share(2)),
  ])
  t.after(async () => {
    await Promise.all([one.close(), other.close()])
    await opened.close()
  })
  return { opened, one, other, at: { app: opened.app, collection: 'c' } }
}

test('what one client wrote the other reads at once', async (t) => {
  const { one, other, at } = await shared(t)
  for (let n = 0; n < 50; n++) {
    const [writer, reader] = n % 2 === 0 ? [one, other] : [other, one]
    const text = `{"_id":"x","n":${n}}`
    await writer.saveDocuments({ ...at, permitted: ANYTHING, documents: [{ id: 'x', text }] })
    assert.equal(await reader.getDocument({ ...at, ids: ['x'] }), text)
    const filter = filterOf(`{"n":${n}}`)
    const { first } = await reader.findDocuments({ ...at, filter, sort: [], skip: 0, limit: 9 })
    assert.equal(first, `[${text}]`)
  }
})

test('what a client keeps is good until another writes', async (t) => {
  const { one, other, at } = await shared(t)
  const texts = { filter: '{}', sort: undefined, projection: undefined, after: undefined }
  const everything = { ...at, filter: filterOf('{}'), texts }
  const find = (store: SqliteStore) => store.findDocuments({ ...everything, sort: [], skip: 0, limit: 9 })
  for (let n = 0; n < 50; n++) {
    const [writer, reader] = n % 2 === 0 ? [one, other] : [other, one]
    const text = `{"_id":"x","n":${n}}`
    await writer.saveDocuments({
      ...at,
      permitted: ANYTHING,
      documents: [{ id: 'x', text }, { text: '{}' }],
    })
    assert.equal(await reader.getDocument({ ...at, ids: ['x'] }), text)
    assert.equal(await reader.countDocuments(everything), n + 2)
    const first = await find(reader)
    await Promise.all([find(reader), reader.countDocuments(everything)])
    // What is at hand now is no promise.
    assert.equal(reader.getDocument({ ...at, ids: ['x'] }), text)
    assert.equal(reader.countDocuments(everything), n + 2)
    const kept = find(reader) as FindResult
    assert.deepEqual([kept.first, kept.documents!()], [first.first, Math.min(n + 2, 9)])
  }
})

test('writes of several clients go into the same groups, and each gets its own answer', async (t) => {
  const { one, other, opened, at } = await shared(t)
  const clients = [one, other, opened.store]
  const saved = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      clients[n % 3]!.saveDocuments({
        ...at,
        permitted: ANYTHING,
        documents: [{ id: n, text: `{"_id":${n}}` }, ...(n % 2 === 0 ? [] : [{ text: '{}' }])],
      }),
    ),
  )
  saved.forEach((documents, n) => {
    assert.deepEqual(documents[0], { created: true })
    assert.equal(documents.length, n % 2 === 0 ? 1 : 2)
  })
  assert.equal(await other.countDocuments({ ...at, filter: filterOf('{}') }), 450)
})

test('the queue of a thread has one bound for all of its clients', async (t) => {
  const { one, other, at } = await shared(t, { queuedRequests: 3 })
  const save = (store: SqliteStore) =>
    store.saveDocuments({ ...at, permitted: ANYTHING, documents: [{ text: '{}' }] })
  const outcomes = async (stores: readonly SqliteStore[]): Promise<string[]> =>
    (await Promise.allSettled(stores.map(save))).map((each) =>
      each.status === 'fulfilled' ? 'done' : each.reason.code,
    )
  const expected = ['done', 'done', 'done', 'overloaded', 'overloaded']
  assert.deepEqual(await outcomes([one, one, other, one, other]), expected)
  // What was answered waits no more, and what was refused never did.
  assert.deepEqual(await outcomes([other, other, other, other, one]), expected)
})

test('every client hears of a new app, and knows it once it has asked', async (t) => {
  const { opened, one, other } = await shared(t)
  const control = await openAccounts({ dataDir: opened.dataDir })
  await control.createApp({ slug: 'shop', owner: null }, 'test')
  await control.close()
  await one.refreshDirectory()
  assert.ok(one.directory().apps.has('shop'))
  await other.refreshDirectory()
  assert.ok(other.directory().apps.has('shop'))
})

test('a client that leaves lets the others go on', async (t) => {
  const { one, other, at } = await shared(t)
  const left = one.saveDocuments({
    ...at,
    permitted: ANYTHING,
    documents: [{ id: 'a', text: '{"_id":"a"}' }],
  })
  const refused = assert.rejects(left, { code: 'store_unavailable' })
  await one.close()
  await refused
  await assert.rejects(async () => one.getDocument({ ...at, ids: ['a'] }), { code: 'store_unavailable' })
  await other.saveDocuments({ ...at, permitted: ANYTHING, documents: [{ id: 'b', text: '{"_id":"b"}' }] })
  assert.equal(await other.getDocument({ ...at, ids: ['b'] }), '{"_id":"b"}')
  assert.equal(await other.getDocument({ ...at, ids: ['a'] }), '{"_id":"a"}', 'what it had asked for is done')
})
