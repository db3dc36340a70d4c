import { startBare } from '../bare.ts'
import { sendEach, sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { knownId } from '../documents.ts'
import type { Bench, Row, RowResult } from '../row.ts'
import { identityOf, startSheaf } from '../sheaf.ts'

const CONNECTIONS = 32
/** A prime, so that multiples of it meet each document once before any of them again. */
const STRIDE = 7_368_787

/** Documents that the server's memory has room for, each met again and again. */
export const readManyById: Row = {
  name: 'read-many-by-id',
  title: 'Read documents by their ids, 50,000 of them in turn',
  run: (bench) => compareReads(bench, { read: 50_000, least: 0.6 }),
}

/** More documents than it has room for, in no order: most are read from the file. */
export const readAnyById: Row = {
  name: 'read-any-by-id',
  title: 'Read documents by their ids, any of 1,000,000',
  run: (bench) => compareReads(bench, { read: 300_000, least: 0.5 }),
}

/** @param read documents that are asked for, spread over the collection and in an order of no kind */
async function compareReads(
  bench: Bench,
  { read: wanted, least }: { read: number; least: number },
): Promise<RowResult> {
  const { kit, generator, options, prepared } = bench
  const connections = options.connections ?? CONNECTIONS
  const data = await prepared.get()
  const { name, documents } = data.collections.at(-1)!
  const sheaf = await startSheaf(kit, { data })
  const read = Math.min(documents, wanted)
  const step = Math.floor(documents / read)
  const paths = Array.from(
    { length: read },
    (_, index) => sheaf.request('GET', `${name}/${knownId(1 + ((index * STRIDE) % read) * step)}`).path,
  )
  const request = { ...sheaf.request('GET', `${name}/${knownId(1)}`), paths }
  const like = await sendOnce(request)
  await sendEach(request)
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
      targets: [{ against: 'bare HTTPS', least }],
      about: [
        `${read} documents in turn of ${documents} of ${Buffer.byteLength(like.body)} bytes each, spread over the ` +
          `collection, ${connections} connections.`,
      ],
    },
  )
}
