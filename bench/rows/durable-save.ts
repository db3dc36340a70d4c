import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { BEST_DURABLE_PEER, compare } from '../compare.ts'
import { type Contender, underLoad } from '../contender.ts'
import { documentText } from '../documents.ts'
import type { LoadRequest } from '../load/load.ts'
import { peerContenders } from '../peer-contenders.ts'
import { SAVE_BYTES } from '../peers/peer.ts'
import type { Bench, Row } from '../row.ts'
import { identityOf, type SheafServer, startSheaf } from '../sheaf.ts'

const CONNECTIONS = 32
const TARGETS = [
  { against: 'bare HTTPS', least: 0.3 },
  { against: 'one transaction a request', least: 4 },
  { against: BEST_DURABLE_PEER, least: 3 },
]

/** One document a request, on the disk before it is acknowledged. */
export const durableSave: Row = {
  name: 'durable-save',
  title: 'Save one document, durably',
  async run(bench: Bench) {
    const { kit, generator, options, prepared } = bench
    const connections = options.connections ?? CONNECTIONS
    const data = await prepared.copy()
    const { name, documents } = data.collections.at(-1)!
    const sheaf = await startSheaf(kit, { data })
    const identity = identityOf(sheaf)
    const request = sheaf.request('POST', name, documentText(SAVE_BYTES))
    const about = 'durable: WAL, `synchronous=FULL`, group commit'
    return compare(
      bench,
      [
        async () => underLoad({ name: 'Sheaf', about }, sheaf, { generator, connections, request }),
        ...bareContenders(bench, { sheaf, request, connections }),
        ...peerContenders(bench, {
          work: 'save',
          identity,
          filling: { documents: 0, bytes: 0 },
          connections,
        }),
      ],
      {
        units: 'requests',
        targets: TARGETS,
        plot: { title: `Save one document, ${connections} connections`, marksDurability: true },
        about: [
          `A POST of one document of ${SAVE_BYTES} bytes without an id, ${connections} connections. Sheaf has ` +
            `${documents} documents of 500 bytes in the collection and answers the whole document; the others begin ` +
            'with an empty one, and answer as they do. Whether a save is on the disk when it is acknowledged is said ' +
            'of each.',
        ],
      },
    )
  },
}

/** The same engine with one transaction a request, and a server that stores nothing. */
export function bareContenders(
  { kit, generator }: Bench,
  { sheaf, request, connections }: { sheaf: SheafServer; request: LoadRequest; connections: number },
): (() => Promise<Contender>)[] {
  const bare = async (
    work: 'take' | 'store',
    about: Pick<Contender, 'name' | 'about'>,
  ): Promise<Contender> => {
    const like = await sendOnce(request)
    const settings = { identity: identityOf(sheaf), like, work, database: kit.path('store.sqlite') }
    const server = await startBare(kit, settings)
    return underLoad(about, server, { generator, connections, request: { ...request, port: server.port } })
  }
  return [
    () =>
      bare('take', { name: 'bare HTTPS', about: 'stores nothing: takes the same body, answers a constant' }),
    () =>
      bare('store', {
        name: 'one transaction a request',
        about: 'durable: `node:https`, `JSON.parse`, the same table, WAL, `synchronous=FULL`',
      }),
  ]
}
