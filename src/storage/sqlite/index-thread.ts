import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { appFile } from './data-folder.ts'
import { failureOf } from './failures.ts'
import { hasIndexWork } from './has-index-work.ts'
import type { IndexJob } from './index-job.ts'

export interface IndexThreadSettings {
  readonly dataDir: string
  readonly job: IndexJob
}

/**
 * A thread that does one job on indexes, and ends. Any message asks it to end before, which it does between two
 * transactions; what it has open is closed with it.
 */
async function run(port: MessagePort, { dataDir, job }: IndexThreadSettings): Promise<void> {
  port.on('message', () => process.exit(0))
  port.unref()
  try {
    port.postMessage([await answerTo(dataDir, job)])
  } catch (error) {
    port.postMessage([undefined, failureOf(error)])
  }
  port.close()
}

async function answerTo(dataDir: string, job: IndexJob): Promise<unknown> {
  const left = job.kind === 'finishAll' ? withWork(dataDir, job) : job
  if (left.kind === 'finishAll' && left.apps.length === 0) return new Map()
  // Here and not above, so that a start that finds no work loads next to nothing.
  const { doIndexJob } = await import('./index-job.ts')
  return doIndexJob(dataDir, left)
}

function withWork(dataDir: string, { kind, apps }: IndexJob & { kind: 'finishAll' }): IndexJob {
  return { kind, apps: apps.filter((app) => hasIndexWork(appFile(dataDir, app))) }
}

await run(parentPort!, workerData as IndexThreadSettings)
