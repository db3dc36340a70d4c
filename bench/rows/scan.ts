import { globSync } from 'node:fs'
import { join } from 'node:path'
import { withoutAutoIndex } from '../abilities.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { type Contender, type Sample, underLoad } from '../contender.ts'
import { newQuestions } from '../questions.ts'
import type { Bench, Row } from '../row.ts'
import { fill, type SheafServer, startSheaf } from '../sheaf.ts'

const DOCUMENTS = 100_000
const BYTES = 500
/** `score` goes from 0 to 100,002; so about 20 documents match. */
const ABOVE = 99_980
/** How often a scan may take longer than the hand-written one. */
const TARGET = 0.77

/** A filter on a field without an index, against the statement that one would write for it by hand. */
export const scan: Row = {
  name: 'scan-100k',
  title: 'Filter 100,000 documents on a field without an index',
  async run(bench: Bench) {
    const { kit, generator, options, abilities } = bench
    const documents = Math.ceil(DOCUMENTS * options.scale)
    const sheaf = await startSheaf(kit, { args: withoutAutoIndex(abilities) })
    await fill(sheaf, 'people', { documents, bytes: BYTES })
    const request = newQuestions(sheaf, 'people', () => ({ score: { $gt: ABOVE } }))
    const found = (JSON.parse((await sendOnce(request)).body) as unknown[]).length
    return compare(
      bench,
      [
        async () =>
          underLoad({ name: 'Sheaf', about: 'the server' }, sheaf, { generator, request, connections: 1 }),
        async () => handWritten(bench, sheaf, found),
      ],
      {
        units: 'queries',
        targets: [{ against: 'hand-written SQL', least: TARGET }],
        about: [
          `\`{"score": {"$gt": ${ABOVE}}}\` over ${documents} documents of ${BYTES} bytes, of which ${found} match; ` +
            'one connection. No answer comes from memory. The target says that a query takes at most 1.3 times as long.',
        ],
      },
    )
  },
}

function handWritten({ kit }: Bench, { dataDir }: SheafServer, found: number): Contender {
  const [file] = globSync('*.sqlite', { cwd: join(dataDir, 'apps') })
  const script = new URL('../servers/engine-scan.ts', import.meta.url)
  const settings = { database: join(dataDir, 'apps', file!), above: ABOVE, found }
  return {
    name: 'hand-written SQL',
    about: 'the same file, one thread, no HTTP; a number alone matches',
    measure: (seconds) => kit.runScript<Sample>(script, { ...settings, seconds }),
    stop: async () => {},
  }
}
