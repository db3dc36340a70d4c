import { limit } from '../compare.ts'
import { type Contender, type Sample, underLoad } from '../contender.ts'
import { documentText } from '../documents.ts'
import { SAVE_BYTES } from '../peers/peer.ts'
import { inTurn, type Measured } from '../rounds.ts'
import type { Bench, Row } from '../row.ts'
import { startSheaf } from '../sheaf.ts'
import { spreadOf, written } from '../statistics.ts'
import { bareContenders } from './durable-save.ts'

const TARGET = 1.3

/** One save at a time: nothing to group a commit with. */
export const saveAlone: Row = {
  name: 'save-alone',
  title: 'Save one document at a time, durably',
  async run(bench: Bench) {
    const { kit, generator, options, prepared } = bench
    const data = await prepared.copy()
    const { name, documents } = data.collections.at(-1)!
    const sheaf = await startSheaf(kit, { data })
    const request = sheaf.request('POST', name, documentText(SAVE_BYTES))
    const load = { generator, connections: 1, request }
    const about = 'durable: WAL, `synchronous=FULL`'
    const { measured } = await inTurn(
      [
        async () => underLoad({ name: 'Sheaf', about }, sheaf, load),
        ...bareContenders(bench, { sheaf, request, connections: 1 }),
        async () => disk(bench),
      ],
      options,
      bench.log,
    )
    const [own, bare, , sync] = measured.map(({ samples }) => samples.map((sample) => sample.p50Ms!))
    const ratio = spreadOf(own!.map((value, round) => value / (bare![round]! + sync![round]!)))
    return {
      about: [
        `A POST of one document of ${SAVE_BYTES} bytes, one connection, the next when the last is acknowledged; ` +
          `${documents} documents in the collection.`,
      ],
      head: ['', 'p50, ms', 'p99, ms'],
      cells: measured.map(cellsOf),
      verdicts: [
        `Sheaf's p50 against that of one \`fdatasync\` and one bare round trip: ${limit(ratio, { most: TARGET })}`,
      ],
    }
  },
}

function cellsOf({ contender, samples }: Measured): string[] {
  const spread = (of: (sample: Sample) => number): string => written(spreadOf(samples.map(of)), 3)
  return [
    `**${contender.name}**: ${contender.about}`,
    spread(({ p50Ms }) => p50Ms!),
    spread(({ p99Ms }) => p99Ms!),
  ]
}

function disk({ kit }: Bench): Contender {
  const script = new URL('../servers/disk-sync.ts', import.meta.url)
  return {
    name: 'one `fdatasync`',
    about: 'a page of 4 KiB is written over in a file that has its length, as in a WAL, and synced',
    measure: (seconds) => kit.runScript<Sample>(script, { seconds, file: kit.path('sync') }),
    stop: async () => {},
  }
}
