import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Client, type ClientOptions } from './client.ts'

/** A read begins this often, whether the one before it was answered or not, so that a pause is seen by many. */
const EVERY_MS = 5
const UNANSWERED = 100

export interface BystanderOptions {
  readonly client: ClientOptions
  readonly path: string
  /** The server's process. */
  readonly pid: number
}

/**
 * Reads one document again and again; asked for a number of reads, tells when there are as many how long each took since
 * the last time, in milliseconds.
 * What this thread or the server's main thread spent on waiting for a processor is left out, for it says how busy the
 * machine is, and not the server.
 */
const { client: options, path, pid } = workerData as BystanderOptions
const client = new Client({ ...options, connections: UNANSWERED })
let latencies: number[] = []
let unanswered = 0

async function read(): Promise<void> {
  const began = performance.now()
  const waited = waitedMs()
  unanswered++
  const { status } = await client.send('GET', path)
  unanswered--
  const took = Math.max(0, performance.now() - began - (waitedMs() - waited))
  latencies.push(status === 200 ? took : Number.POSITIVE_INFINITY)
}

/** Linux counts for each thread how long it was ready to run and did not. */
function waitedMs(): number {
  return [`/proc/${pid}/task/${pid}/schedstat`, '/proc/thread-self/schedstat'].reduce(
    (sum, file) => sum + waitedIn(file),
    0,
  )
}

function waitedIn(file: string): number {
  try {
    return Number(readFileSync(file, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

setInterval(() => {
  if (unanswered < UNANSWERED) void read()
}, EVERY_MS)

parentPort!.on('message', async (reads: number) => {
  // What is under way belongs to the time that is asked about.
  do await read()
  while (latencies.length < reads)
  parentPort!.postMessage(latencies)
  latencies = []
})
