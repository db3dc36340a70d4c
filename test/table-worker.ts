import { workerData } from 'node:worker_threads'
import { type CountMemory, SharedCount } from '../src/shared-memory/count.ts'
import { SharedTable, type TableMemory } from '../src/shared-memory/table.ts'

/** Adds to four names of a table in turn, and to a count, as one of several threads of `table.test.ts`. */
function run({ memory, count, rounds }: { memory: TableMemory; count: CountMemory; rounds: number }): void {
  const table = new SharedTable(memory, () => false)
  const shared = new SharedCount(count)
  for (let i = 0; i < rounds; i++) {
    table.use('abcd'[i % 4]!, (record) => {
      record!.values[record!.at + 1]! += 1
    })
    shared.add(1)
  }
}

run(workerData)
