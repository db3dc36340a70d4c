import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { BEST_PEER, compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { knownId } from '../documents.ts'
import { peerContenders } from '../peer-contenders.ts'
import type { Bench, Row } from '../row.ts'
import { fill, identityOf, startSheaf } from '../sheaf.ts'

const DOCUMENTS = 10_000
const BYTES = 600
const CONNECTIONS = 32
const TARGETS = [
  { against: 'bare HTTPS', least: 0.72 },
  { against: BEST_PEER, least: 2 },
]

/** One document by its id, against the least that Node.js can do for an HTTPS request. */
export const readById: Row = {
  name: 'read-by-id',
  title: 'Read one document by its id',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const filling = { documents: Math.ceil(DOCUMENTS * options.scale), bytes: BYTES, knownIds: true }
    const sheaf = await startSheaf(kit)
    const identity = identityOf(sheaf)
    await fill(sheaf, 'people', filling)
    const request = sheaf.request('GET', `people/${knownId(7)}`)
    const like = await sendOnce(request)
    const load = { generator, connections }
    return compare(
      bench,
      [
        async () => underLoad({ name: 'Sheaf', about: 'the server' }, sheaf, { ...load, request }),
        async () => {
          const bare = await startBare(kit, { identity, like, work: 'answer' })
          const about = { name: 'bare HTTPS', about: '`node:https`, a constant of the same bytes' }
          return underLoad(about, bare, { ...load, request: { ...request, port: bare.port } })
        },
        ...peerContenders(bench, {
          work: 'read',
          identity,
          filling: { ...filling, knownIds: false },
          connections,
        }),
      ],
      {
        units: 'requests',
        targets: TARGETS,
        plot: { title: `Read one document by its id, ${connections} connections` },
        about: [
          `One document of ${Buffer.byteLength(like.body)} bytes among ${filling.documents}, ` +
            `${connections} connections. Sheaf answers it from memory after the first time.`,
        ],
      },
    )
  },
}
