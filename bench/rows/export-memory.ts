import { drain } from '../client.ts'
import { limit } from '../compare.ts'
import { forgetPeak, peakMib, residentMib } from '../process-usage.ts'
import type { Bench, Row } from '../row.ts'
import { startSheaf } from '../sheaf.ts'
import { spreadOf, written } from '../statistics.ts'

/** 100 MB. */
const TARGET_MIB = 95

/** One long answer must not be held in memory. */
export const exportMemory: Row = {
  name: 'export-memory',
  title: 'Memory while a whole collection is streamed out',
  async run(bench: Bench) {
    const { kit, options, prepared, log } = bench
    const data = await prepared.get()
    const { name, documents } = data.collections.at(-1)!
    const rounds: { before: number; grown: number; seconds: number; bytes: number }[] = []
    for (let round = 1; round <= options.rounds; round++) {
      // Anew in each round: a process that has streamed once has grown already.
      const sheaf = await startSheaf(kit, { data })
      const [pid] = sheaf.pids as [number]
      const before = residentMib(pid)
      forgetPeak(pid)
      const began = performance.now()
      const bytes = await drain(sheaf.request('GET', `${name}?l=${documents}`))
      const seconds = (performance.now() - began) / 1000
      rounds.push({ before, grown: peakMib(pid) - before, seconds, bytes })
      await sheaf.stop()
      log(`  round ${round} of ${options.rounds}: ${Math.round(rounds.at(-1)!.grown)} MiB more`)
    }
    const grown = spreadOf(rounds.map((round) => round.grown))
    const before = spreadOf(rounds.map((round) => round.before))
    return {
      about: [
        `One GET of all ${documents} documents, ${rounds[0]!.bytes.toLocaleString('en-US')} bytes, by a server that ` +
          'was just started; the peak of RSS (`VmHWM`) while it is answered, over RSS before it.',
      ],
      head: ['', 'RSS before, MiB', 'RSS more at the peak, MiB', 'seconds'],
      cells: [
        [
          '**Sheaf**',
          written(before),
          written(grown, 1),
          written(spreadOf(rounds.map((one) => one.seconds)), 2),
        ],
      ],
      verdicts: [`RSS grows by: ${limit(grown, { most: TARGET_MIB, unit: 'MiB', digits: 1 })}`],
    }
  },
}
