import { constants, getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type BackupJob, doBackupJob } from './backup-job.ts'
import { failureOf } from './protocol/failures.ts'

/** How much nicer than the threads that answer clients. */
const NICENESS = 10

/** A thread that makes or reads one backup, and ends. */
async function run(port: MessagePort, job: BackupJob): Promise<void> {
  // Elsewhere it would be the whole process that is nicer.
  if (process.platform === 'linux')
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW))
  try {
    port.postMessage([await doBackupJob(job)])
  } catch (error) {
    port.postMessage([undefined, failureOf(error)])
  }
  port.close()
}

await run(parentPort!, workerData as BackupJob)
