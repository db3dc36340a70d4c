import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { doIndexJob, type IndexJob } from './index-job.ts'
import { failureOf } from './protocol/failures.ts'

export interface IndexThreadSettings {
  readonly dataDir: string
  readonly pageBytes?: number | undefined
  readonly job: IndexJob
}

/**
 * A thread that does one job on indexes, and ends. Any message asks it to end before, which it does between two
 * transactions; what it has open is closed with it.
 */
async function run(port: MessagePort, { job, ...files }: IndexThreadSettings): Promise<void> {
  port.on('message', () => process.exit(0))
  port.unref()
  try {
    port.postMessage([await doIndexJob(files, job)])
  } catch (error) {
    port.postMessage([undefined, failureOf(error)])
  }
  port.close()
}

await run(parentPort!, workerData as IndexThreadSettings)
