import { createIndex, NO_INDEXES } from '../abilities.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { peerContenders } from '../peer-contenders.ts'
import { BRANCH } from '../peers/peer.ts'
import { newQuestions } from '../questions.ts'
import type { Bench, Row } from '../row.ts'
import { fill, identityOf, startSheaf } from '../sheaf.ts'

const DOCUMENTS = 10_000
const BYTES = 500
const CONNECTIONS = 32

/** Twenty documents by a field that has an index, against what users take instead. */
export const filterIndexed: Row = {
  name: 'filter-indexed',
  title: 'Filter on an indexed field',
  async run(bench: Bench) {
    const { kit, generator, options, abilities } = bench
    const connections = options.connections ?? CONNECTIONS
    const filling = { documents: Math.ceil(DOCUMENTS * options.scale), bytes: BYTES }
    const sheaf = await startSheaf(kit)
    await fill(sheaf, 'people', filling)
    await createIndex(kit, abilities, { server: sheaf, collection: 'people', field: 'branch' })
    const q = JSON.stringify({ branch: BRANCH })
    const request = newQuestions(sheaf, 'people', () => ({ branch: BRANCH }))
    const found = (JSON.parse((await sendOnce(request)).body) as unknown[]).length
    return compare(
      bench,
      [
        async () =>
          underLoad({ name: 'Sheaf', about: 'the server' }, sheaf, { generator, connections, request }),
        ...peerContenders(bench, { work: 'filter', identity: identityOf(sheaf), filling, connections }),
      ],
      {
        units: 'requests',
        targets: [],
        plot: { title: `Find ${found} of ${filling.documents} documents, ${connections} connections` },
        about: [
          `\`${q}\` over ${filling.documents} documents of ${BYTES} bytes, of which ${found} match, spread over the ` +
            `collection; ${connections} connections. Each server has an index on the field, but for json-server, ` +
            'which has none. No answer of Sheaf comes from memory.',
          ...(abilities.canIndex ? [] : [NO_INDEXES]),
        ],
      },
    )
  },
}
