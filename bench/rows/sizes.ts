import { createIndex, NO_INDEXES, withoutAutoIndex } from '../abilities.ts'
import { limit } from '../compare.ts'
import { type Contender, underLoad } from '../contender.ts'
import { branchesOf, knownId } from '../documents.ts'
import { linePlot } from '../draw/line-plot.ts'
import type { LoadRequest } from '../load/load.ts'
import type { PreparedCollection } from '../prepared.ts'
import { newQuestions } from '../questions.ts'
import { inTurn, type Measured } from '../rounds.ts'
import type { Bench, Row } from '../row.ts'
import { type SheafServer, startSheaf } from '../sheaf.ts'
import { ratioOf, spreadOf, written } from '../statistics.ts'

const TARGET = 1.5
/** There are sixteen contenders. */
const MOST_SECONDS = 1
const READ_DOCUMENTS = 20_000
/** `score` goes from 0 to 100,002. */
const SCORES = 100_003

/** One kind of request, for a collection of any size. */
interface Kind {
  readonly label: string
  request(server: SheafServer, collection: PreparedCollection): LoadRequest
}

const INDEXED = 'filter, indexed field'

const KINDS: readonly [indexed: Kind, ...Kind[]] = [
  {
    label: INDEXED,
    request: (server, { name, documents }) => {
      const branches = branchesOf(documents)
      // Steps that go through all of them, far from each other.
      return newQuestions(server, name, (index) => ({ branch: (index * 7919) % branches }))
    },
  },
  {
    label: 'read by id',
    request: (server, { name, documents }) => {
      const read = Math.min(documents, READ_DOCUMENTS)
      return inTurnOf(
        server,
        read,
        (index) => `${name}/${knownId(1 + Math.floor((index * documents) / read))}`,
      )
    },
  },
  { label: 'count all', request: (server, { name }) => server.request('GET', `${name}?c=true`) },
  {
    label: 'filter, no index',
    request: (server, { name, documents }) => {
      // About twenty match, whatever the size.
      const above = SCORES - Math.ceil((20 * SCORES) / Math.max(documents, 20))
      return newQuestions(server, name, () => ({ score: { $gt: above } }))
    },
  },
]

/** How the time of a request grows with its collection. */
export const sizes: Row = {
  name: 'sizes',
  title: 'Latency against the size of the collection',
  async run(bench: Bench) {
    const { kit, options, abilities, prepared } = bench
    const data = await prepared.copy()
    const server = await startSheaf(kit, { data, args: withoutAutoIndex(abilities) })
    for (const { name } of data.collections)
      await createIndex(kit, abilities, { server, collection: name, field: 'branch' })
    const seconds = Math.min(options.seconds, MOST_SECONDS)
    const contenders = contendersFor(bench, server, data.collections)
    const { measured } = await inTurn(contenders, { ...options, seconds }, bench.log)
    const documents = data.collections.map((collection) => collection.documents)
    const rows = KINDS.map(({ label }, at) => {
      const ofKind = measured.slice(at * documents.length, (at + 1) * documents.length)
      const isMisnamed = label === INDEXED && !abilities.canIndex
      return { label: isMisnamed ? 'filter, index missing' : label, latencies: ofKind.map(latenciesOf) }
    })
    const [indexed] = rows
    const flat = ratioOf(indexed!.latencies.at(-1)!, indexed!.latencies[1]!)
    const figures = rows.map(({ label, latencies }) => ({ label, figures: latencies.map(spreadOf) }))
    const [, from, , to] = documents.map((size) => size.toLocaleString('en-US'))
    return {
      about: [
        'The time of one request by its median, in ms, one connection, documents of 500 bytes. Filters find 20 ' +
          'documents, a different set each time where there is an index; reads by id ask for up to 20,000 in turn.',
      ],
      head: ['documents', ...documents.map((size) => size.toLocaleString('en-US')), `${to} against ${from}`],
      cells: rows.map(({ label, latencies }) => [
        `**${label}**`,
        ...latencies.map((one) => written(spreadOf(one), 3)),
        written(ratioOf(latencies.at(-1)!, latencies[1]!), 2),
      ]),
      verdicts: [
        abilities.canIndex
          ? `A filter on an indexed field, ${to} documents against ${from}: ${limit(flat, { most: TARGET })}`
          : NO_INDEXES,
      ],
      plot: linePlot({ title: 'Median time of one request', sizes: documents, series: figures }),
    }
  },
}

function latenciesOf({ samples }: Measured): number[] {
  return samples.map(({ p50Ms }) => p50Ms!)
}

/** Kind by kind, the sizes of each from the smallest. */
function contendersFor(
  { generator }: Bench,
  server: SheafServer,
  collections: readonly PreparedCollection[],
): (() => Promise<Contender>)[] {
  // The server is stopped with the last that is measured; being stopped again is nothing to it.
  return KINDS.flatMap(({ label, request }) =>
    collections.map((collection) => async () => {
      const about = { name: `${label}, ${collection.documents}`, about: '' }
      return underLoad(about, server, { generator, connections: 1, request: request(server, collection) })
    }),
  )
}

function inTurnOf(server: SheafServer, count: number, pathOf: (index: number) => string): LoadRequest {
  const paths = Array.from({ length: count }, (_, index) => server.request('GET', pathOf(index)).path)
  return { ...server.request('GET', pathOf(0)), paths }
}
