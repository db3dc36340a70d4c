import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { compare } from '../compare.ts'
import { underLoad } from '../contender.ts'
import { documentText } from '../documents.ts'
import type { Bench, Row } from '../row.ts'
import { identityOf, startSheaf } from '../sheaf.ts'

const BYTES = 560
const CONNECTIONS = 32
const TARGETS = [
  { against: 'one transaction a request', least: 4 },
  { against: 'bare HTTPS', least: 0.3 },
]

/** One document a request, on the disk before it is acknowledged. */
export const durableSave: Row = {
  name: 'durable-save',
  title: 'Save one document, durably',
  async run(bench: Bench) {
    const { kit, generator, options } = bench
    const connections = options.connections ?? CONNECTIONS
    const sheaf = await startSheaf(kit)
    const identity = identityOf(sheaf)
    const request = sheaf.request('POST', 'people', documentText(BYTES))
    const like = await sendOnce(request)
    const load = { generator, connections }
    const bare = async (work: 'take' | 'store', about: { readonly name: string; readonly about: string }) => {
      const database = kit.path('store.sqlite')
      const server = await startBare(kit, { identity, like, work, database })
      return underLoad(about, server, { ...load, request: { ...request, port: server.port } })
    }
    return compare(
      bench,
      [
        async () =>
          underLoad({ name: 'Sheaf', about: 'durable: WAL, `synchronous=FULL`, group commit' }, sheaf, {
            ...load,
            request,
          }),
        () =>
          bare('store', {
            name: 'one transaction a request',
            about: 'durable: `node:https`, `JSON.parse`, the same table, WAL, `synchronous=FULL`',
          }),
        () =>
          bare('take', {
            name: 'bare HTTPS',
            about: 'stores nothing: takes the same body, answers a constant',
          }),
      ],
      {
        units: 'requests',
        targets: TARGETS,
        about: [
          `A POST of one document of ${BYTES} bytes without \`_id\`, ${connections} connections that are kept, TLS; ` +
            'the answer is the whole document.',
        ],
      },
    )
  },
}
