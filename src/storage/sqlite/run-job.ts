import { constants, getPriority, setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { failureOf } from './protocol/failures.ts'

/** How much nicer than the threads that answer clients. */
const NICENESS = 10

/** Does the one job of a thread that was started for it, and posts what `startJob` waits for. */
export async function runJob(port: MessagePort, job: () => Promise<unknown>): Promise<void> {
  // Elsewhere it would be the whole process that is nicer.
  if (process.platform === 'linux')
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW))
  try {
    port.postMessage([await job()])
  } catch (error) {
    port.postMessage([undefined, failureOf(error)])
  }
  port.close()
}
