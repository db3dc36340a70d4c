import { parentPort, workerData } from 'node:worker_threads'
import { type BackupJob, doBackupJob } from './backup-job.ts'
import { runJob } from './run-job.ts'

/* A thread that makes or reads one backup, and ends. */
await runJob(parentPort!, () => doBackupJob(workerData as BackupJob))
