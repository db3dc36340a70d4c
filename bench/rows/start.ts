import { setTimeout } from 'node:timers/promises'
import { sendOnce } from '../client.ts'
import { limit } from '../compare.ts'
import { documentText } from '../documents.ts'
import { freePort } from '../free-port.ts'
import type { LoadRequest } from '../load/load.ts'
import { residentMib } from '../process-usage.ts'
import type { Bench, Row } from '../row.ts'
import { fill, printedKey, sheafRequest, spawnSheaf } from '../sheaf.ts'
import { spreadOf, written } from '../statistics.ts'

const TARGET_MS = 400
const TARGET_MIB = 150
const DOCUMENTS = 10_000
const CONNECTIONS = 32
const LOAD_SECONDS = 2
/** How often the port is tried; a start is measured so exactly. */
const RETRY_MS = 2
const GIVE_UP_MS = 30_000

interface Start {
  /** From the process's birth to its first answer. */
  readonly milliseconds: number
  readonly residentMib: number
}

interface Round {
  /** On an empty folder, nothing compiled yet: keys, certificate and app are made. */
  readonly first: Start
  /** On the data that is there, with what the first start compiled. */
  readonly later: Start
  readonly loadedMib: number
}

export const start: Row = {
  name: 'start',
  title: 'Start to first answer, and memory',
  async run(bench: Bench) {
    const { rounds } = bench.options
    const all: Round[] = []
    for (let round = 1; round <= rounds; round++) {
      const done = await oneRound(bench)
      all.push(done)
      bench.log(`  round ${round} of ${rounds}: ${Math.round(done.later.milliseconds)} ms`)
    }
    const first = all.map((round) => round.first)
    const later = all.map((round) => round.later)
    const loaded = spreadOf(all.map((round) => round.loadedMib))
    const milliseconds = spreadOf(later.map((one) => one.milliseconds))
    const resident = spreadOf(later.map((one) => one.residentMib))
    return {
      about: [
        'From the start of the process to the first HTTPS answer, asked for every 2 ms.',
        `RSS is looked at with that answer, and again after ${LOAD_SECONDS} s of reads on ${CONNECTIONS} connections.`,
      ],
      head: ['', 'first answer, ms', 'RSS at it, MiB', 'RSS after load, MiB'],
      cells: [
        [
          '**existing data**, compile cache filled',
          written(milliseconds),
          written(resident),
          written(loaded),
        ],
        [
          '**first start**: empty folder, empty compile cache',
          written(spreadOf(first.map((one) => one.milliseconds))),
          written(spreadOf(first.map((one) => one.residentMib))),
          '',
        ],
      ],
      verdicts: [
        `Start on existing data: ${limit(milliseconds, { most: TARGET_MS, unit: 'ms', digits: 0 })}`,
        `RSS after start: ${limit(resident, { most: TARGET_MIB, unit: 'MiB', digits: 0 })}`,
      ],
    }
  },
}

async function oneRound({ kit, generator, options }: Bench): Promise<Round> {
  const dataDir = kit.path('sheaf')
  const env = { NODE_COMPILE_CACHE: kit.path('compile-cache') }
  const port = await freePort()
  const launch = { dataDir, port, env }

  const began = performance.now()
  const firstProcess = spawnSheaf(kit, launch)
  const key = printedKey(firstProcess)
  // Nobody has a key yet; to be told so is an answer, too.
  await firstAnswer({ port, method: 'GET', path: '/', headers: {} }, 401)
  const first = { milliseconds: performance.now() - began, residentMib: residentMib(firstProcess.pid!) }
  const apiKey = await key
  const request = sheafRequest({ port, apiKey }, 'GET', 'people/wanted')
  const server = { request: sheafRequest.bind(null, { port, apiKey }) }
  await fill(server, 'people', { documents: Math.ceil(DOCUMENTS * options.scale), bytes: 500 })
  await sendOnce(server.request('POST', 'people', `{"_id":"wanted",${documentText(500).slice(1)}`))
  await kit.stop(firstProcess)

  const beganAgain = performance.now()
  const process = spawnSheaf(kit, launch)
  await firstAnswer(request, 200)
  const later = { milliseconds: performance.now() - beganAgain, residentMib: residentMib(process.pid!) }
  await generator.run(request, {
    connections: options.connections ?? CONNECTIONS,
    seconds: Math.min(LOAD_SECONDS, options.seconds),
  })
  const loadedMib = residentMib(process.pid!)
  await kit.stop(process)
  return { first, later, loadedMib }
}

/** Asks until there is an answer. @throws Error where it has another status */
async function firstAnswer(request: LoadRequest, status: number): Promise<void> {
  const giveUp = performance.now() + GIVE_UP_MS
  for (;;) {
    try {
      await sendOnce(request, status)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || performance.now() > giveUp) throw error
    }
    await setTimeout(RETRY_MS)
  }
}
