import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BystanderOptions } from './bystander-worker.ts'
import type { ServerProcess } from './start-server.ts'

/**
 * By how much the slowest hundredth of another client's reads may be slower than when all is quiet. It is measured once,
 * without what was waited for a processor; what is left of a busy machine (the storage threads' and V8's helpers' waits)
 * was 52 ms at most in three rounds at a load of eleven on two cores. Bad input that holds up the event loop, as a
 * pattern that backtracks, does so for seconds.
 */
const SLOWER_MS = 250
/** Enough that one of them is the slowest hundredth. */
const READS = 100

/** Where the tests of bad input do their damage, and what is there before and after. */
export const TARGET = '/apps/demo/collections/target'
const TARGET_DOCUMENTS = '[{"_id":1,"a":1},{"_id":"2","a":[1,{"b":null}]},{"_id":3.5,"__proto__":{"a":"x"}}]'
const WITNESS = '/apps/demo/collections/witness/w'

/** Another client, in a thread of its own, whose reads go on while somebody sends bad input. */
export class Bystander {
  private readonly server: ServerProcess
  private readonly worker: Worker
  private quiet = 0

  private constructor(server: ServerProcess, worker: Worker) {
    this.server = server
    this.worker = worker
  }

  static async of(server: ServerProcess): Promise<Bystander> {
    const { client, port, apiKey, ca, pid } = server
    await client.send('PUT', WITNESS, { body: '{"here":true}' })
    await client.send('POST', TARGET, { body: TARGET_DOCUMENTS })
    const worker = new Worker(new URL('./bystander-worker.ts', import.meta.url), {
      workerData: { client: { port, apiKey, ca }, path: WITNESS, pid } satisfies BystanderOptions,
    })
    const bystander = new Bystander(server, worker)
    // The first ones connect.
    await bystander.latency(READS)
    bystander.quiet = await bystander.latency(READS)
    return bystander
  }

  /**
   * Lets something bad be done, and checks that the server outlives it without a fault in its log, that the target
   * is as it was, and that the reads of the bystander were answered as ever.
   */
  async holdsDuring(act: () => Promise<unknown>): Promise<void> {
    await this.latency()
    await act()
    const latency = await this.latency()
    assert.ok(this.server.isRunning(), 'the server is gone')
    assert.equal(this.server.log, '')
    const { text } = await this.server.client.send('GET', TARGET)
    assert.equal(text, TARGET_DOCUMENTS, 'the target was changed')
    assert.ok(
      latency <= this.quiet + SLOWER_MS,
      `another client's reads took ${Math.round(latency)} ms, and ${Math.round(this.quiet)} ms before`,
    )
  }

  async stop(): Promise<void> {
    await this.worker.terminate()
  }

  /** The 99th percentile of the reads since the last call, of which there are at least so many, in milliseconds. */
  private async latency(reads = 1): Promise<number> {
    this.worker.postMessage(reads)
    const [latencies] = (await once(this.worker, 'message')) as [number[]]
    latencies.sort((one, other) => one - other)
    return latencies[Math.ceil(latencies.length * 0.99) - 1]!
  }
}
