import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { SharedCount } from './count.ts'
import { createTable, SharedTable } from './table.ts'

const ROUNDS = 50_000
const THREADS = 4

function addOne(table: SharedTable, name: string): number | undefined {
  return table.use(name, (record) => {
    if (record === undefined) return undefined
    record.values[record.at + 1]! += 1
    return record.values[record.at + 1]!
  })
}

test('a record belongs to its name, and begins with zeros', () => {
  const table = new SharedTable(createTable({ names: 100, fields: 2 }), () => false)
  assert.equal(addOne(table, 'a'), 1)
  assert.equal(addOne(table, 'b'), 1)
  assert.equal(addOne(table, 'a'), 2)
  assert.equal(addOne(table, ''), 1)
})

test('a table has room for as many names as it is made for', () => {
  const table = new SharedTable(createTable({ names: 10_000, fields: 2 }), () => false)
  for (const expected of [1, 2])
    for (let i = 0; i < 10_000; i++) assert.equal(addOne(table, String(i)), expected, String(i))
})

test('a name that finds no place is told so, and takes the place of one that has lapsed', () => {
  let lapsed = -1
  const table = new SharedTable(
    createTable({ names: 10, fields: 2 }),
    ({ values, at }) => values[at] === lapsed,
  )
  const enter = (name: string): boolean =>
    table.use(name, (record) => {
      if (record !== undefined) record.values[record.at] = 7
      return record !== undefined
    })
  let last = 0
  while (enter(String(last))) last++
  assert.ok(last >= 10, `${last} names`)
  assert.equal(enter(String(last)), false)
  assert.equal(enter('0'), true)
  lapsed = 7
  assert.equal(enter(String(last)), true)
  lapsed = -1
  assert.equal(enter(String(last)), true)
})

test('threads that add at the same time lose nothing', async () => {
  const memory = createTable({ names: 4, fields: 2 })
  const count = new SharedCount()
  const workers = Array.from(
    { length: THREADS },
    () =>
      new Worker(new URL('../../test/table-worker.ts', import.meta.url), {
        workerData: { memory, count: count.memory, rounds: ROUNDS },
      }),
  )
  const ended = await Promise.all(workers.map((worker) => once(worker, 'exit')))
  assert.deepEqual(ended, Array(THREADS).fill([0]))
  assert.equal(count.value, THREADS * ROUNDS)
  const table = new SharedTable(memory, () => false)
  for (const name of ['a', 'b', 'c', 'd']) assert.equal(addOne(table, name), (THREADS * ROUNDS) / 4 + 1)
})

test('a count takes nothing over its bound', () => {
  const count = new SharedCount()
  const same = new SharedCount(count.memory)
  assert.equal(count.addUpTo(3, 2), true)
  assert.equal(same.addUpTo(3, 2), false)
  assert.equal(same.addUpTo(3, 1), true)
  assert.equal(count.addUpTo(3, 1), false)
  same.add(-3)
  assert.equal(count.value, 0)
})
