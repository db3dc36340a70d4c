import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_LIMITS } from '../../src/domain/limits.ts'
import { openSqliteStore } from '../../src/storage/sqlite/client/store.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { SqliteIndexes } from '../../src/storage/sqlite/sqlite-indexes.ts'
import { startServer } from '../server/start-server.ts'
import { failure, json, runInProcess, success } from './in-process.ts'
import { storeFolder } from './run-sheaf.ts'

/** Makes an index; on a machine that is busy the progress is told meanwhile. Answers stdout. */
async function created(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(['index', 'create', ...args])
  assert.match(stderr, /^(building: \d+ of \d+ documents\n)*$/)
  assert.equal(code, 0)
  return stdout
}

/** Makes an index that can't be made, of which the progress may be told as well. Answers why not. */
async function refused(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(['index', 'create', ...args])
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  const [, reason] =
    /^(?:building: \d+ of \d+ documents\n)*sheaf: ([^\n]+)\n$/.exec(stderr) ?? assert.fail(stderr)
  return reason!
}

test('an index is made, listed, explained and dropped beside a running server', async (t) => {
  const server = await startServer()
  t.after(() => server.dispose())
  const data = ['--data', server.folder]
  const C = '/apps/demo/collections/people'
  const people = Array.from(
    { length: 3000 },
    (_, n) => `{"_id":${n},"age":${n % 100},"email":"${n}@example.com"}`,
  )
  await server.client.send('POST', C, { body: `[${people.join(',')}]` })
  const ask = (): Promise<string> =>
    server.client.send('GET', `${C}?q=${encodeURIComponent('{"age":42}')}`).then(({ text }) => text)
  const before = await ask()

  assert.equal(
    await created('demo', 'people', 'age', ...data),
    'Index age of people is ready, over 3000 documents.\n',
  )
  assert.equal(await ask(), before)
  assert.match(
    await success(['explain', 'demo', 'people', '{"age":42}', ...data]),
    /^by the index age: 30 looked at, 30 found, /,
  )
  assert.match(
    await success(['explain', 'demo', 'people', '{"age":{"$not":42}}', '--limit', '10', ...data]),
    /^by a scan of the collection: 10 looked at, 10 found, /,
  )

  await created('demo', 'people', 'email', '--unique', ...data)
  const twice = await server.client.send('POST', C, { body: '{"email":"7@example.com"}' })
  assert.equal(twice.status, 400)
  assert.equal(JSON.parse(twice.text).code, 'unique_violation')

  const listed = (await json(['index', 'list', 'demo', ...data])) as Record<string, unknown>[]
  assert.deepEqual(
    listed.map(({ collection, fields, unique, automatic, state }) => ({
      collection,
      fields,
      unique,
      automatic,
      state,
    })),
    [
      { collection: 'people', fields: 'age', unique: false, automatic: false, state: 'ready' },
      { collection: 'people', fields: 'email', unique: true, automatic: false, state: 'ready' },
    ],
  )
  await success(['index', 'drop', 'demo', 'people', 'email', ...data])
  assert.equal((await server.client.send('POST', C, { body: '{"email":"7@example.com"}' })).status, 201)
  assert.match(
    await refused('demo', 'people', 'email', '--unique', ...data),
    /can't be unique: 1 document is in the way: it has a value that one before it has, .*"7@example\.com" in 7 and "/,
  )
  assert.match(await refused('demo', 'people', 'age', '--unique', ...data), /there is an index "age" already/)
  assert.match(
    await refused('demo', 'people', 'age:-1', '--unique', ...data),
    /: 2900 documents are in the way: each has a value that one before it has, .*\(0 in 0 and 100; /,
  )
  assert.equal(((await json(['index', 'list', 'demo', 'people', ...data])) as unknown[]).length, 1)
})

test('an automatic index becomes what is asked for by hand, and comes back where that can not be', async (t) => {
  const data = ['--data', await storeFolder(t)]
  const folder = data[1]!
  await success(['app', 'create', 'demo', ...data])
  const control = await openAccounts({ dataDir: folder })
  const app = (await control.listApps())[0]!.id
  await control.close()
  const store = await openSqliteStore({
    ...{
      dataDir: folder,
      limits: DEFAULT_LIMITS,
      serviceNames: [],
      foregroundThreads: 1,
      backgroundThreads: 1,
    },
    onFailure: (error) => assert.fail(String(error)),
  })
  const documents = [{ text: '{"age":1,"email":"a"}' }, { text: '{"age":1,"email":"b"}' }]
  const permitted = { create: true, update: true }
  await store.saveDocuments({ app, collection: 'people', permitted, documents })
  await store.close()
  const indexes = new SqliteIndexes({ dataDir: folder })
  for (const name of ['age', 'email']) {
    const fields = [{ path: [name], direction: 1 as const }]
    const index = { name, fields, isUnique: false, isAutomatic: true, now: 0 }
    await indexes.createIndex({ app, collection: 'people', ...index })
  }
  await indexes.finishIndexes(app)
  await indexes.close()
  const listed = async (): Promise<unknown> =>
    ((await json(['index', 'list', 'demo', ...data])) as Record<string, unknown>[]).map(
      ({ fields, unique, automatic, state }) => [fields, unique, automatic, state].join(),
    )

  assert.match(
    await refused('demo', 'people', 'age', '--unique', ...data),
    /can't be unique: 1 document is in the way/,
  )
  assert.deepEqual(await listed(), ['email,false,true,ready', 'age,false,true,ready'])
  assert.equal(
    await created('demo', 'people', 'age', ...data),
    'Index age of people is ready, over 2 documents.\n',
  )
  await created('demo', 'people', 'email', '--unique', ...data)
  assert.deepEqual(await listed(), ['age,false,false,ready', 'email,true,false,ready'])
  assert.match(await failure(['index', 'create', 'demo', 'people', 'age', ...data]), /already; drop it first/)
})

test('an index that makes no sense is refused, and says why', async (t) => {
  const data = ['--data', await storeFolder(t)]
  await success(['app', 'create', 'demo', ...data])
  const create = (...fields: string[]): Promise<string> =>
    failure(['index', 'create', 'demo', 'c', ...fields, ...data])
  assert.match(await create(''), /an index needs fields/)
  assert.match(await create('a,a'), /each of them once/)
  assert.match(await create('{"a":2}'), /1 \(ascending\) or -1/)
  assert.match(await create('age:2'), /a field, alone or with :1 or :-1/)
  assert.match(await create('a:b:1'), /write a name with a colon as/)
  assert.match(await create('_id'), /has an index on _id already/)
  assert.match(await create('a,b,c,d,e,f,g,h,i'), /at most 8 fields/)
  assert.match(await failure(['index', 'create', 'nope', 'c', 'a', ...data]), /there is no app "nope"/)
  assert.match(await failure(['index', 'create', 'demo', '$c', 'a', ...data]), /collection/)
  assert.match(await failure(['index', 'drop', 'demo', 'c', 'a', ...data]), /there is no index "a"/)
  assert.match(await failure(['explain', 'demo', 'c', '{a:1}', ...data]), /double quotes/)
  assert.match(await failure(['explain', 'demo', 'c', '{}', '--limit', 'ten', ...data]), /limit/)
})
