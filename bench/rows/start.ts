import { limit } from '../compare.ts'
import { knownId } from '../documents.ts'
import { firstAnswer } from '../first-answer.ts'
import { freePort } from '../free-port.ts'
import { residentMib } from '../process-usage.ts'
import type { Bench, Row } from '../row.ts'
import { fill, type SheafData, sheafRequest, spawnSheaf, startSheaf } from '../sheaf.ts'
import { spreadOf, written } from '../statistics.ts'

const TARGET_MS = 400
const TARGET_MIB = 150
const COLLECTIONS = 1000
const COLLECTION_DOCUMENTS = 100
const CONNECTIONS = 32
const LOAD_SECONDS = 2

interface Start {
  /** From the process's birth to its first answer. */
  readonly milliseconds: number
  readonly residentMib: number
  /** After some reads on many connections. */
  readonly loadedMib?: number
}

interface Round {
  /** On an empty folder, nothing compiled yet: keys, certificate and app are made. */
  readonly first: Start
  /** On the shared data, with what the first start compiled. */
  readonly large: Start
  readonly many: Start
}

/** Data that a server is started on, and a document that is there. */
interface Existing {
  readonly data: SheafData
  readonly path: string
}

export const start: Row = {
  name: 'start',
  title: 'Start to first answer, and memory',
  async run(bench: Bench) {
    const { options, prepared } = bench
    const data = await prepared.get()
    const { name, documents } = data.collections.at(-1)!
    const large = { data, path: `${name}/${knownId(1)}` }
    const many = await manyCollections(bench)
    const rounds: Round[] = []
    for (let round = 1; round <= options.rounds; round++) {
      const env = { NODE_COMPILE_CACHE: bench.kit.path('compile-cache') }
      rounds.push({
        first: await firstStart(bench, env),
        large: await laterStart(bench, large, env),
        many: await laterStart(bench, many, env),
      })
      bench.log(`  round ${round} of ${options.rounds}: ${Math.round(rounds.at(-1)!.large.milliseconds)} ms`)
    }
    const collections = Math.ceil(COLLECTIONS * options.scale)
    return {
      about: [
        'From the start of the process to the first HTTPS answer, which is asked for every 2 ms. RSS is looked at ' +
          `with that answer, and again after ${LOAD_SECONDS} s of reads on ${CONNECTIONS} connections.`,
      ],
      head: ['', 'first answer, ms', 'RSS at it, MiB', 'RSS after load, MiB'],
      cells: [
        cellsOf(`**existing data**: one collection of ${documents} and three smaller ones`, rounds, 'large'),
        cellsOf(`**${collections} collections** of ${COLLECTION_DOCUMENTS} documents`, rounds, 'many'),
        cellsOf('**first start**: empty folder, empty compile cache', rounds, 'first'),
      ],
      verdicts: [
        `Start on existing data: ${limit(millisecondsOf(rounds, 'large'), { most: TARGET_MS, unit: 'ms', digits: 0 })}`,
        `Start on ${collections} collections: ${limit(millisecondsOf(rounds, 'many'), { most: TARGET_MS, unit: 'ms', digits: 0 })}`,
        `RSS after start: ${limit(spreadOf(rounds.map((round) => round.large.residentMib)), { most: TARGET_MIB, unit: 'MiB', digits: 0 })}`,
      ],
    }
  },
}

function millisecondsOf(rounds: readonly Round[], which: keyof Round): ReturnType<typeof spreadOf> {
  return spreadOf(rounds.map((round) => round[which].milliseconds))
}

function cellsOf(label: string, rounds: readonly Round[], which: keyof Round): string[] {
  const loaded = rounds.flatMap((round) => round[which].loadedMib ?? [])
  return [
    label,
    written(millisecondsOf(rounds, which)),
    written(spreadOf(rounds.map((round) => round[which].residentMib))),
    loaded.length === 0 ? '' : written(spreadOf(loaded)),
  ]
}

async function manyCollections({ kit, options }: Bench): Promise<Existing> {
  const server = await startSheaf(kit)
  const collections = Math.ceil(COLLECTIONS * options.scale)
  for (let number = 0; number < collections; number++)
    await fill(server, `people-${number}`, { documents: COLLECTION_DOCUMENTS, bytes: 500, knownIds: true })
  await server.stop()
  return { data: server, path: `people-${collections - 1}/${knownId(1)}` }
}

async function firstStart({ kit }: Bench, env: Record<string, string>): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const process = spawnSheaf(kit, { dataDir: kit.path('sheaf'), port, env })
  // Nobody has a key yet; to be told so is an answer, too.
  await firstAnswer({ port, method: 'GET', path: '/', headers: {} }, 401)
  const start = { milliseconds: performance.now() - began, residentMib: residentMib(process.pid!) }
  await kit.stop(process)
  return start
}

async function laterStart(
  { kit, generator, options }: Bench,
  { data, path }: Existing,
  env: Record<string, string>,
): Promise<Start> {
  const port = await freePort()
  const request = sheafRequest({ port, apiKey: data.apiKey }, 'GET', path)
  const began = performance.now()
  const process = spawnSheaf(kit, { dataDir: data.dataDir, port, env })
  await firstAnswer(request, 200)
  const start = { milliseconds: performance.now() - began, residentMib: residentMib(process.pid!) }
  await generator.run(request, {
    connections: options.connections ?? CONNECTIONS,
    seconds: Math.min(LOAD_SECONDS, options.seconds),
  })
  const loadedMib = residentMib(process.pid!)
  await kit.stop(process)
  return { ...start, loadedMib }
}
