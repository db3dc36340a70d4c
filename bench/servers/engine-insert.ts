import { readFileSync } from 'node:fs'
import { monotonicFactory } from 'ulid'
import type { Sample } from '../contender.ts'
import { openTable } from './store-table.ts'

/** Inserts the documents of a bulk again and again, a transaction each; run as a process of its own. */
function main(): void {
  const { seconds, file, database } = JSON.parse(process.argv[2]!)
  const texts = (JSON.parse(readFileSync(file, 'utf8')) as object[]).map((document) =>
    JSON.stringify(document),
  )
  const { db, insert } = openTable(database)
  const nextId = monotonicFactory()
  const insertAll = (): void => {
    db.exec('BEGIN IMMEDIATE')
    for (const text of texts) {
      const id = nextId()
      insert.run(id, `{"_id":"${id}",${text.slice(1)}`)
    }
    db.exec('COMMIT')
  }
  insertAll()
  const before = process.cpuUsage()
  const began = performance.now()
  let count = 0
  for (; performance.now() - began < seconds * 1000; count += texts.length) insertAll()
  const used = process.cpuUsage(before)
  const sample: Sample = {
    count,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: (used.user + used.system) / 1e6,
  }
  console.log(JSON.stringify(sample))
}

main()
