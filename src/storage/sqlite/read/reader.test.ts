import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { AT, documentsFrom, SqliteEngine } from '../../../../test/sqlite-engine.ts'
import { type CountChunk, DEFERRED, type FirstChunk } from '../protocol/requests.ts'
import { FOREGROUND_DOCUMENTS } from './foreground-budget.ts'
import { type PageEnd, readCursor, writeCursor } from './keyset-cursor.ts'

const engine = new SqliteEngine()
after(() => engine.close())

function idsBehind(end?: PageEnd): string {
  const command = {
    ...AT,
    filter: { kind: 'and', filters: [] } as const,
    sort: [],
    skip: 0,
    limit: 10,
    isForeground: true,
  }
  const behind = end === undefined ? {} : { after: writeCursor(end) }
  return engine.read<FirstChunk>({ kind: 'find', ...command, budgetMs: 30_000, ...behind }).text
}

it('takes the cursor of a new collection though it knows the one before it, and then none of that', () => {
  engine.save(documentsFrom([new Map(), new Map()]))
  const old = engine.connection.catalog.collection(AT.collection)!.id
  assert.equal(idsBehind(), '{"_id":0},{"_id":1}')
  engine.write({ kind: 'drop', ...AT })
  engine.save(documentsFrom([new Map(), new Map()], 5))
  const made = engine.connection.catalog.collection(AT.collection)!.id
  // As another thread made it, while this reader has heard of nothing.
  assert.equal(idsBehind({ collection: made, rowId: 1, keys: [] }), '{"_id":6}')
  assert.throws(() => idsBehind({ collection: old, rowId: 1, keys: [] }), { code: 'invalid_cursor' })
})

it('defers what takes long in a new collection, though it knows the one before it', () => {
  engine.write({ kind: 'drop', ...AT })
  engine.save(documentsFrom([new Map()]))
  const sorted = {
    ...AT,
    filter: { kind: 'and', filters: [] } as const,
    skip: 0,
    limit: 10,
    isForeground: true,
  }
  const sort = [{ path: ['a'], direction: 1 as const }]
  const read = () =>
    engine.read<FirstChunk | typeof DEFERRED>({ kind: 'find', ...sorted, sort, budgetMs: 30_000 })
  assert.notEqual(read(), DEFERRED)
  engine.write({ kind: 'drop', ...AT })
  engine.save(documentsFrom(Array.from({ length: FOREGROUND_DOCUMENTS + 1 }, () => new Map())))
  assert.equal(read(), DEFERRED)
})

it('counts what is in a new collection, though it knows the one before it', () => {
  const everything = { ...AT, filter: { kind: 'and', filters: [] } as const, budgetMs: 30_000 }
  const counted = () => engine.read<CountChunk>({ kind: 'count', ...everything, isForeground: true }).count
  engine.write({ kind: 'drop', ...AT })
  engine.save(documentsFrom([new Map()]))
  assert.equal(counted(), 1)
  engine.write({ kind: 'drop', ...AT })
  engine.save(documentsFrom([new Map(), new Map()]))
  assert.equal(counted(), 2)
})

it('reads a cursor as it was written, and none of another version', () => {
  const keys = [Uint8Array.of(3, 97, 0), new Uint8Array(0), Uint8Array.of(1)]
  const end = { collection: 2 ** 33 + 1, rowId: 2 ** 40 + 1, keys }
  const cursor = writeCursor(end)
  const { keys: read, ...rest } = readCursor(cursor)
  assert.deepEqual({ ...rest, keys: read.map((key) => Uint8Array.from(key)) }, end)
  cursor[0]! -= 1
  assert.throws(() => readCursor(cursor), { code: 'invalid_cursor' })
})

describe('a read that nobody waits for any more', () => {
  const sorted = {
    ...{ kind: 'find' as const, ...AT, filter: { kind: 'and', filters: [] } as const },
    ...{ sort: [{ path: ['a'], direction: 1 as const }], skip: 0, limit: 10 },
    ...{ isForeground: false, budgetMs: 30_000 },
  }
  const GONE = { code: 'deadline_exceeded', message: /nobody waits/ }

  function cell(): Int32Array<SharedArrayBuffer> {
    return new Int32Array(new SharedArrayBuffer(4))
  }

  it('is not begun', (t) => {
    const cancelled = cell()
    assert.match(engine.read<FirstChunk>({ ...sorted, cancelled }).text, /^\{"_id"/)
    Atomics.store(cancelled, 0, 1)
    const prepared = t.mock.method(engine.connection, 'prepare')
    assert.throws(() => engine.read({ ...sorted, cancelled }), GONE)
    assert.deepEqual(
      prepared.mock.calls.filter(({ arguments: [sql] }) => /FROM c\d/.test(sql)),
      [],
    )
    // Whatever comes next is another's.
    assert.match(engine.read<FirstChunk>(sorted).text, /^\{"_id"/)
  })

  it('ends in the middle of its statement', (t) => {
    engine.write({ kind: 'drop', ...AT })
    const documents = 20_000
    engine.save(documentsFrom(Array.from({ length: documents }, () => new Map())))
    const cancelled = cell()
    const now = performance.now.bind(performance)
    // Each look at one document of 1,024 begins with the time.
    let looks = 0
    t.mock.method(performance, 'now', () => {
      if (++looks === 5) Atomics.store(cancelled, 0, 1)
      return now()
    })
    assert.throws(() => engine.read({ ...sorted, cancelled }), GONE)
    assert.ok(looks < 10, `${looks} looks`)
  })
})
