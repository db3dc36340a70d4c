import { DatabaseSync } from 'node:sqlite'
import type { Sample } from '../contender.ts'

/** Runs one query on a collection's table again and again; run as a process of its own. */
function main(): void {
  const { seconds, database, above, found } = JSON.parse(process.argv[2]!)
  const db = new DatabaseSync(database, { readOnly: true })
  const [{ id } = { id: 0 }] = db.prepare('SELECT id FROM collections').all() as { id: number }[]
  const statement = db.prepare(
    `SELECT json(doc) FROM c${id} WHERE doc ->> '$.score' > ? AND json_type(doc, '$.score') IN ('integer', 'real')
     ORDER BY seq LIMIT 1000`,
  )
  statement.setReturnArrays(true)
  const query = (): void => {
    const rows = statement.all(above) as unknown as [string][]
    const text = `[${rows.map((row) => row[0]).join(',')}]`
    if (rows.length !== found) throw new Error(`the statement found ${rows.length}, not ${found}: ${text}`)
  }
  query()
  const before = process.cpuUsage()
  const began = performance.now()
  let count = 0
  for (; performance.now() - began < seconds * 1000; count++) query()
  const used = process.cpuUsage(before)
  const sample: Sample = {
    count,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: (used.user + used.system) / 1e6,
  }
  console.log(JSON.stringify(sample))
}

main()
