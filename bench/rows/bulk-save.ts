import { writeFileSync } from 'node:fs'
import { compare } from '../compare.ts'
import { type Contender, type Sample, underLoad } from '../contender.ts'
import { bulkText } from '../documents.ts'
import { peerContenders } from '../peer-contenders.ts'
import { BULK, BULK_DOCUMENTS } from '../peers/peer.ts'
import type { Bench, Row } from '../row.ts'
import { identityOf, startSheaf } from '../sheaf.ts'

const CONNECTIONS = 4
const LEAST_PER_SECOND = 50_000
const TARGETS = [{ against: "the engine's own batch insert", least: 0.6 }]

/** Many documents a request, against the engine's own batch insert. */
export const bulkSave: Row = {
  name: 'bulk-save',
  title: 'Save 1,000 documents a request, durably',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const body = bulkText(BULK, 1, BULK_DOCUMENTS)
    const sheaf = await startSheaf(kit)
    const whole = sheaf.request('POST', 'people', body)
    const minimal = { ...whole, headers: { ...whole.headers, Prefer: 'return=minimal' } }
    const load = { generator, connections, weight: BULK_DOCUMENTS }
    return compare(
      bench,
      [
        async () =>
          underLoad(
            { name: 'Sheaf', about: '`Prefer: return=minimal`; durable: WAL, `synchronous=FULL`' },
            sheaf,
            {
              ...load,
              request: minimal,
            },
          ),
        async () => engineInsert(bench, body),
        async () =>
          underLoad({ name: 'Sheaf, whole answer', about: 'answers every document; as durable' }, sheaf, {
            ...load,
            request: whole,
          }),
        ...peerContenders(bench, {
          work: 'bulk',
          identity: identityOf(sheaf),
          filling: { documents: 0, bytes: 0 },
          connections,
        }),
      ],
      {
        units: 'documents',
        targets: TARGETS,
        leastPerSecond: LEAST_PER_SECOND,
        plot: {
          title: `Save ${BULK_DOCUMENTS} documents a request, ${connections} connections`,
          marksDurability: true,
        },
        about: [
          `A POST of ${BULK_DOCUMENTS} documents of ${BULK.bytes} bytes without an id, ${connections} connections, ` +
            'into collections that begin empty. Whether they are on the disk when they are acknowledged is said of each.',
        ],
      },
    )
  },
}

function engineInsert({ kit }: Bench, body: string): Contender {
  const file = kit.path('bulk.json')
  writeFileSync(file, body)
  const script = new URL('../servers/engine-insert.ts', import.meta.url)
  return {
    name: "the engine's own batch insert",
    about: `one thread, no HTTP: texts that are there; as durable, a transaction for each ${BULK_DOCUMENTS}`,
    measure: (seconds) =>
      kit.runScript<Sample>(script, { seconds, file, database: kit.path('engine.sqlite') }),
    stop: async () => {},
  }
}
