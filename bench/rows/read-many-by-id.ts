import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { knownId } from '../documents.ts'
import type { Bench, Row } from '../row.ts'
import { identityOf, startSheaf } from '../sheaf.ts'

const CONNECTIONS = 32
/** Half as many again as Sheaf keeps the texts of; asked for in turn, none of them is kept when its turn comes. */
const READ_DOCUMENTS = 30_000

/** Documents by their ids, each of them read from the disk's file and not from the server's memory. */
export const readManyById: Row = {
  name: 'read-many-by-id',
  title: 'Read documents by their ids, one after the other of more than are kept in memory',
  async run(bench: Bench) {
    const { kit, generator, options, prepared } = bench
    const connections = options.connections ?? CONNECTIONS
    const data = await prepared.get()
    const { name, documents } = data.collections.at(-1)!
    const sheaf = await startSheaf(kit, { data })
    const read = Math.min(documents, READ_DOCUMENTS)
    const step = Math.floor(documents / read)
    const paths = Array.from(
      { length: read },
      (_, index) => sheaf.request('GET', `${name}/${knownId(1 + index * step)}`).path,
    )
    const request = { ...sheaf.request('GET', `${name}/${knownId(1)}`), paths }
    const like = await sendOnce(request)
    const load = { generator, connections }
    return compare(
      bench,
      [
        async () => underLoad({ name: 'Sheaf', about: 'the server' }, sheaf, { ...load, request }),
        async () => {
          const bare = await startBare(kit, { identity: identityOf(sheaf), like, work: 'answer' })
          const about = { name: 'bare HTTPS', about: '`node:https`, a constant of the same bytes' }
          return underLoad(about, bare, { ...load, request: { ...request, port: bare.port } })
        },
      ],
      {
        units: 'requests',
        targets: [],
        about: [
          `${read} documents in turn of ${documents} of ${Buffer.byteLength(like.body)} bytes each, spread over the ` +
            `collection, ${connections} connections.`,
        ],
      },
    )
  },
}
