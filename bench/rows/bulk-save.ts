import { writeFileSync } from 'node:fs'
import { compare } from '../compare.ts'
import { type Contender, type Sample, underLoad } from '../contender.ts'
import { bulkText } from '../documents.ts'
import type { Bench, Row } from '../row.ts'
import { startSheaf } from '../sheaf.ts'

const DOCUMENTS = 1000
const BYTES = 500
const CONNECTIONS = 4

/** Many documents a request, against the engine's own batch insert. */
export const bulkSave: Row = {
  name: 'bulk-save',
  title: 'Save 1,000 documents a request, durably',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const body = bulkText(DOCUMENTS, BYTES)
    const sheaf = await startSheaf(kit)
    const whole = sheaf.request('POST', 'people', body)
    const minimal = { ...whole, headers: { ...whole.headers, Prefer: 'return=minimal' } }
    const load = { generator, connections, weight: DOCUMENTS }
    return compare(
      bench,
      [
        async () =>
          underLoad({ name: 'Sheaf', about: '`Prefer: return=minimal`' }, sheaf, {
            ...load,
            request: minimal,
          }),
        async () => engineInsert(bench, body),
        async () =>
          underLoad({ name: 'Sheaf, whole answer', about: 'answers every document' }, sheaf, {
            ...load,
            request: whole,
          }),
      ],
      {
        units: 'documents',
        targets: [{ against: "the engine's own batch insert", least: 0.6 }],
        about: [
          `A POST of ${DOCUMENTS} documents of ${BYTES} bytes without \`_id\`, ${connections} connections, TLS; all durable.`,
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
    about: `one thread, no HTTP: texts that are there, a transaction for each ${DOCUMENTS}`,
    measure: (seconds) =>
      kit.runScript<Sample>(script, { seconds, file, database: kit.path('engine.sqlite') }),
    stop: async () => {},
  }
}
