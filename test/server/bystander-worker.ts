import { parentPort, workerData } from 'node:worker_threads'
import { Client, type ClientOptions } from './client.ts'

/** A read begins this often, whether the one before it was answered or not, so that a pause is seen by many. */
const EVERY_MS = 5
const UNANSWERED = 100

/** Reads one document again and again; when asked, tells how long each read took since the last time. */
const { options, path } = workerData as { options: ClientOptions; path: string }
const client = new Client({ ...options, connections: UNANSWERED })
let latencies: number[] = []
let unanswered = 0

async function read(): Promise<void> {
  const began = performance.now()
  unanswered++
  const { status } = await client.send('GET', path)
  unanswered--
  latencies.push(status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY)
}

setInterval(() => {
  if (unanswered < UNANSWERED) void read()
}, EVERY_MS)

parentPort!.on('message', async () => {
  // What is under way belongs to the time that is asked about.
  await read()
  parentPort!.postMessage(latencies)
  latencies = []
})
