import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { documentText } from '../documents.ts'
import type { Bench, Row } from '../row.ts'
import { fill, identityOf, startSheaf } from '../sheaf.ts'

const BYTES = 600
const CONNECTIONS = 32
const TARGET = 0.75

/** One document by its id, against the least that Node.js can do for an HTTPS request. */
export const readById: Row = {
  name: 'read-by-id',
  title: 'Read one document by its id',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const sheaf = await startSheaf(kit)
    const id = '01JGJ6F4XWZ3V8Q2M5T7N9R1KA'
    // The id is part of the document's size.
    const text = `{"_id":"${id}",${documentText(BYTES - `"_id":"${id}",`.length, 7).slice(1)}`
    await fill(sheaf, 'people', { documents: 10_000 * options.scale, bytes: 500 })
    await sendOnce(sheaf.request('POST', 'people', text))
    const request = sheaf.request('GET', `people/${id}`)
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
        targets: [{ against: 'bare HTTPS', least: TARGET }],
        about: [
          `One document of ${Buffer.byteLength(like.body)} bytes among ${10_000 * options.scale}, ` +
            `${connections} connections that are kept, TLS. Sheaf answers it from memory after the first time.`,
        ],
      },
    )
  },
}
