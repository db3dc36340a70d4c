import { limit } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { inTurn } from '../rounds.ts'
import type { Bench, Row } from '../row.ts'
import { startSheaf } from '../sheaf.ts'
import { spreadOf, written } from '../statistics.ts'

const TARGET_MS = 5

/** How many documents there are. */
export const count: Row = {
  name: 'count',
  title: 'Count a whole collection',
  async run(bench: Bench) {
    const { kit, generator, options, prepared } = bench
    const data = await prepared.get()
    const { name, documents } = data.collections.at(-1)!
    const sheaf = await startSheaf(kit, { data })
    const request = sheaf.request('GET', `${name}?c=true`)
    const about = { name: 'Sheaf', about: '`c=true`' }
    const { measured } = await inTurn(
      [async () => underLoad(about, sheaf, { generator, request, connections: 1 })],
      options,
      bench.log,
    )
    const { samples } = measured[0]!
    const p50 = spreadOf(samples.map(({ p50Ms }) => p50Ms!))
    const p99 = spreadOf(samples.map(({ p99Ms }) => p99Ms!))
    return {
      about: [`${documents} documents of 500 bytes, one connection.`],
      head: ['', 'p50, ms', 'p99, ms'],
      cells: [['**Sheaf**: `c=true`', written(p50, 2), written(p99, 2)]],
      verdicts: [
        `Half of the answers within: ${limit(p50, { most: TARGET_MS, unit: 'ms' })}`,
        `99 of 100 answers within: ${limit(p99, { most: TARGET_MS, unit: 'ms' })}`,
      ],
    }
  },
}
