import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { peerContenders } from '../peer-contenders.ts'
import type { Bench, Row } from '../row.ts'
import { fill, identityOf, startSheaf } from '../sheaf.ts'

const DOCUMENTS = 1000
const BYTES = 570
const CONNECTIONS = 4
/** Spaces before a query make it too long to be kept with its answer. */
const UNKEPT_SPACES = 2048

/** A thousand documents an answer, against a server that has the bytes at hand. */
export const list1000: Row = {
  name: 'list-1000',
  title: 'List 1,000 documents',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const sheaf = await startSheaf(kit)
    const identity = identityOf(sheaf)
    const filling = { documents: DOCUMENTS * 2, bytes: BYTES }
    await fill(sheaf, 'people', filling)
    const request = sheaf.request('GET', `people?l=${DOCUMENTS}`)
    const like = await sendOnce(request)
    const load = { generator, connections }
    return compare(
      bench,
      [
        async () => underLoad({ name: 'Sheaf', about: 'the server' }, sheaf, { ...load, request }),
        async () => {
          const path = `${request.path}&q=${'+'.repeat(UNKEPT_SPACES)}{}`
          const about = { name: 'Sheaf, not from memory', about: 'a query too long to be kept' }
          return underLoad(about, sheaf, { ...load, request: { ...request, path } })
        },
        async () => {
          const bare = await startBare(kit, { identity, like, work: 'answer' })
          const about = { name: 'bare HTTPS', about: '`node:https`, a constant of the same bytes' }
          return underLoad(about, bare, { ...load, request: { ...request, port: bare.port } })
        },
        ...peerContenders(bench, { work: 'list', identity, filling, connections }),
      ],
      {
        units: 'requests',
        targets: [{ against: 'bare HTTPS', least: 0.7 }],
        plot: { title: `List ${DOCUMENTS} documents, ${connections} connections` },
        about: [
          `The first ${DOCUMENTS} of ${2 * DOCUMENTS} documents, ${Buffer.byteLength(like.body)} bytes, ` +
            `${connections} connections. Sheaf answers from memory what is asked a third time.`,
        ],
      },
    )
  },
}
