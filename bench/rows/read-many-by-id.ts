import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { documentText } from '../documents.ts'
import type { Bench, Row } from '../row.ts'
import { identityOf, type SheafServer, startSheaf } from '../sheaf.ts'

const BYTES = 600
const CONNECTIONS = 32
/** Half as many again as Sheaf keeps the texts of; asked for in turn, none of them is kept when its turn comes. */
const DOCUMENTS = 30_000
const BULK_DOCUMENTS = 1000

/** Documents by their ids, each of them read from the disk's file and not from the server's memory. */
export const readManyById: Row = {
  name: 'read-many-by-id',
  title: 'Read documents by their ids, one after the other of more than are kept in memory',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const documents = Math.ceil(DOCUMENTS * options.scale)
    const sheaf = await startSheaf(kit)
    await fillWithKnownIds(sheaf, documents)
    const paths = Array.from(
      { length: documents },
      (_, index) => sheaf.request('GET', `people/${idOf(index)}`).path,
    )
    const request = { ...sheaf.request('GET', `people/${idOf(0)}`), paths }
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
          `Each of ${documents} documents of ${Buffer.byteLength(like.body)} bytes in turn, ` +
            `${connections} connections that are kept, TLS.`,
        ],
      },
    )
  },
}

function idOf(index: number): string {
  return `01JGJ6F4XWZ3V8Q2M5T7${String(index).padStart(6, '0')}`
}

async function fillWithKnownIds(sheaf: SheafServer, documents: number): Promise<void> {
  for (let saved = 0; saved < documents; saved += BULK_DOCUMENTS) {
    const texts = Array.from({ length: Math.min(BULK_DOCUMENTS, documents - saved) }, (_, offset) => {
      // The id is part of the document's size.
      const id = `"_id":"${idOf(saved + offset)}",`
      return `{${id}${documentText(BYTES - id.length, saved + offset).slice(1)}`
    })
    await sendOnce(sheaf.request('POST', 'people', `[${texts.join(',')}]`))
  }
}
