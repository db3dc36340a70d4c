import { setTimeout } from 'node:timers/promises'
import { withoutAutoIndex } from '../abilities.ts'
import { startBare } from '../bare.ts'
import { sendOnce } from '../client.ts'
import { limit } from '../compare.ts'
import { knownId } from '../documents.ts'
import { startBackground } from '../load/background.ts'
import { builtInGenerator } from '../load/built-in.ts'
import type { LoadRequest, LoadResult } from '../load/load.ts'
import { cpuSeconds } from '../process-usage.ts'
import { newQuestions } from '../questions.ts'
import type { Bench, Row } from '../row.ts'
import { identityOf, type SheafServer, startSheaf } from '../sheaf.ts'
import { ratioOf, spreadOf, written } from '../statistics.ts'

const TARGET = 3
const CONNECTIONS = 32
const PACED_CONNECTIONS = 8
const PACED_PER_SECOND = 500
const WARM_UP_SECONDS = 1
/** A server that takes so little processor time in so long has nothing to do. */
const IDLE_CPU_SECONDS = 0.02
const IDLE_MS = 200
const IDLE_GIVE_UP_MS = 30_000
const SHEAF = 'Sheaf'
const BARE = 'bare HTTPS'
const CLOSED = `${CONNECTIONS} connections, as many reads as they can`
const PACED = `${PACED_CONNECTIONS} connections, ${PACED_PER_SECOND} reads a second`

interface Round {
  readonly quiet: LoadResult
  readonly busy: LoadResult
}

/** What other clients feel while three make long reads. */
export const others: Row = {
  name: 'others',
  title: 'Reads by id while a scan, an export and a hostile pattern run',
  async run(bench: Bench) {
    const { kit, options, abilities, prepared, log } = bench
    const data = await prepared.get()
    const { name, documents } = data.collections.at(-1)!
    const sheaf = await startSheaf(kit, { data, args: withoutAutoIndex(abilities) })
    const request = sheaf.request('GET', `${name}/${knownId(1)}`)
    const hogs = hogsOf(sheaf, { name, documents })
    const bare = await startBare(kit, {
      identity: identityOf(sheaf),
      like: await sendOnce(request),
      work: 'answer',
    })
    const measures = [
      ...measuresOf(bench, SHEAF, request),
      ...measuresOf(bench, BARE, { ...request, port: bare.port }),
    ]
    await inOrder(measures, Math.min(WARM_UP_SECONDS, options.seconds))
    const rounds = new Map<string, Round[]>(measures.map(({ label }) => [label, []]))
    const done = hogs.map(() => 0)
    for (let round = 1; round <= options.rounds; round++) {
      await untilIdle(sheaf)
      const quiet = await inOrder(measures, options.seconds)
      const background = await startBackground(kit, hogs)
      const busy = await inOrder(measures, options.seconds)
      const counts = await background.stop()
      counts.forEach((count, index) => {
        done[index]! += count
      })
      measures.forEach(({ label }, index) => {
        rounds.get(label)!.push({ quiet: quiet[index]!, busy: busy[index]! })
        const [alone, meanwhile] = [quiet[index]!.p99Ms, busy[index]!.p99Ms].map((ms) => ms.toFixed(2))
        log(`  round ${round} of ${options.rounds}: p99 ${alone} and ${meanwhile} ms, ${label}`)
      })
    }
    await sheaf.stop()
    await bare.stop()
    const ofBoth = [CLOSED, PACED].map((load) => ({
      load,
      sheaf: rounds.get(`${SHEAF}, ${load}`)!,
      bare: rounds.get(`${BARE}, ${load}`)!,
    }))
    return {
      about: [
        `One document of ${documents} of 500 bytes, read by its id, first alone and then while three other clients ` +
          `repeat a filter without an index, an export of all documents and \`{"note":{"$regex":${JSON.stringify(PATTERN)}}}\`, ` +
          'each over the whole collection. ' +
          `Ended meanwhile: ${done[0]} filters, ${done[1]} exports, ${done[2]} patterns. ` +
          'The three clients and the load generator share the processors with the server. The bare server is a process ' +
          'of its own that has no part in any of this: what it loses is what the machine takes from everybody.',
      ],
      head: [
        '',
        'alone: reads/s',
        'p50, ms',
        'p99, ms',
        'meanwhile: reads/s',
        'p50, ms',
        'p99, ms',
        'p99 to p99 alone',
      ],
      cells: [...rounds].map(([label, all]) => cellsOf(label, all)),
      verdicts: [
        ...ofBoth.map(({ load, sheaf: all }) => `p99, ${load}: ${limit(ratioOfP99(all), { most: TARGET })}`),
        ...ofBoth.map(
          (both) =>
            `p99 meanwhile, ${both.load}, against the bare server's: ${written(ratioToBare(both), 2)} ×, where the ` +
            `bare server's own is ${written(ratioOfP99(both.bare), 2)} × what it is alone`,
        ),
      ],
    }
  },
}

interface Measure {
  readonly label: string
  run(seconds: number): Promise<LoadResult>
}

async function inOrder(measures: readonly Measure[], seconds: number): Promise<LoadResult[]> {
  const results: LoadResult[] = []
  for (const { run } of measures) results.push(await run(seconds))
  return results
}

/** What was given up by its client may still be worked on. @throws Error where that takes too long */
async function untilIdle({ pids }: SheafServer): Promise<void> {
  const giveUp = performance.now() + IDLE_GIVE_UP_MS
  for (let before = cpuSeconds(pids); performance.now() < giveUp; ) {
    await setTimeout(IDLE_MS)
    const now = cpuSeconds(pids)
    if (now - before <= IDLE_CPU_SECONDS) return
    before = now
  }
  throw new Error(`the server was still busy after ${IDLE_GIVE_UP_MS} ms`)
}

/** Nested repetition, for which engines that try alternatives take exponential time. */
const PATTERN = '^(([a-z]+)+ ?)+$'

function hogsOf(
  sheaf: SheafServer,
  { name, documents }: { name: string; documents: number },
): readonly LoadRequest[] {
  const filter = (q: object): LoadRequest => newQuestions(sheaf, name, () => q)
  return [
    filter({ score: -1 }),
    sheaf.request('GET', `${name}?l=${documents}`),
    filter({ note: { $regex: PATTERN } }),
  ]
}

/** The load of the other rows, and one that leaves the server time. */
function measuresOf({ kit, generator, options }: Bench, server: string, request: LoadRequest): Measure[] {
  const paced = builtInGenerator(kit)
  const connections = options.connections ?? CONNECTIONS
  return [
    { label: `${server}, ${CLOSED}`, run: (seconds) => generator.run(request, { connections, seconds }) },
    {
      label: `${server}, ${PACED}`,
      run: (seconds) =>
        paced.run(request, { connections: PACED_CONNECTIONS, seconds, perSecond: PACED_PER_SECOND }),
    },
  ]
}

function ratioOfP99(rounds: readonly Round[]): ReturnType<typeof ratioOf> {
  return ratioOf(
    rounds.map(({ busy }) => busy.p99Ms),
    rounds.map(({ quiet }) => quiet.p99Ms),
  )
}

function ratioToBare(both: {
  readonly sheaf: readonly Round[]
  readonly bare: readonly Round[]
}): ReturnType<typeof ratioOf> {
  return ratioOf(
    both.sheaf.map(({ busy }) => busy.p99Ms),
    both.bare.map(({ busy }) => busy.p99Ms),
  )
}

function cellsOf(label: string, rounds: readonly Round[]): string[] {
  const of = (which: keyof Round): string[] => {
    const results = rounds.map((round) => round[which])
    return [
      written(spreadOf(results.map(({ requests, seconds }) => requests / seconds))),
      written(spreadOf(results.map(({ p50Ms }) => p50Ms)), 2),
      written(spreadOf(results.map(({ p99Ms }) => p99Ms)), 2),
    ]
  }
  return [`**${label}**`, ...of('quiet'), ...of('busy'), written(ratioOfP99(rounds), 2)]
}
