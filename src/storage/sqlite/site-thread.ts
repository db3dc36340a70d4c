import { parentPort, workerData } from 'node:worker_threads'
import { runJob } from './run-job.ts'
import { doSiteJob, type SiteJob } from './site-job.ts'

/* A thread that receives one deploy, or collects the garbage of one site or removes it, and ends. */
await runJob(parentPort!, () => doSiteJob(workerData as SiteJob))
