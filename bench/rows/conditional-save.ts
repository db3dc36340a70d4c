import { sendOnce } from '../client.ts'
import { limit } from '../compare.ts'
import { type Contender, type Sample, underLoad } from '../contender.ts'
import { documentText, knownId } from '../documents.ts'
import { SAVE_BYTES } from '../peers/peer.ts'
import { cpuMicroseconds, inTurn, type Measured, perSecond } from '../rounds.ts'
import type { Bench, Row } from '../row.ts'
import { startSheaf } from '../sheaf.ts'
import { spreadOf, written } from '../statistics.ts'

const CONNECTIONS = 32
/** What a condition may cost in processor time, in microseconds. */
const TARGET = 3

/** What `If-Match` adds to a save. */
export const conditionalSave: Row = {
  name: 'conditional-save',
  title: 'Save one document on a condition',
  async run(bench: Bench) {
    const starters = [
      () => saving(bench, 'with If-Match', true),
      () => saving(bench, 'without a condition', false),
    ]
    const { measured } = await inTurn(starters, bench.options, bench.log)
    const [conditional, plain] = measured.map(({ samples }) => samples.map(cpuMicroseconds))
    const more = spreadOf(conditional!.map((value, round) => value - plain![round]!))
    return {
      about: [
        `A POST that overwrites one document of ${SAVE_BYTES} bytes with itself, durably, over ` +
          `${bench.options.connections ?? CONNECTIONS} connections; \`If-Match\` has its tag, so that it always holds.`,
      ],
      head: ['', 'requests/s', 'CPU of each, µs', 'p99, ms'],
      cells: measured.map(cellsOf),
      verdicts: [`What the condition adds in CPU: ${limit(more, { most: TARGET, unit: 'µs', digits: 1 })}`],
    }
  },
}

async function saving(
  { kit, generator, options }: Bench,
  name: string,
  isConditional: boolean,
): Promise<Contender> {
  const sheaf = await startSheaf(kit)
  const request = sheaf.request('POST', 'people', documentText(SAVE_BYTES, 1, { _id: knownId(1) }))
  const { etag } = (await sendOnce(request)).headers
  const headers = isConditional ? { ...request.headers, 'If-Match': etag! } : request.headers
  const connections = options.connections ?? CONNECTIONS
  return underLoad({ name, about: 'Sheaf' }, sheaf, {
    generator,
    connections,
    request: { ...request, headers },
  })
}

function cellsOf({ contender, samples }: Measured): string[] {
  const spread = (of: (sample: Sample) => number, digits = 0): string =>
    written(spreadOf(samples.map(of)), digits)
  return [
    `**${contender.name}**`,
    spread(perSecond),
    spread(cpuMicroseconds, 1),
    spread(({ p99Ms }) => p99Ms!, 2),
  ]
}
