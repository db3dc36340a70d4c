import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { AppError } from '../../errors.ts'
import { errorOf, type Failure } from './protocol/failures.ts'

/** What a thread that is started for one job posts before it ends: what it made, or why it could not. */
type JobAnswer = readonly [value: unknown, failure?: Failure]

/** A thread that was started for one job, and ends with it. */
interface StartedJob<Result> {
  readonly worker: Worker
  /** Rejects with what `stopping` makes where the thread ended without an answer. */
  readonly result: Promise<Result>
}

interface JobOptions {
  readonly workerData: unknown
  readonly resourceLimits?: ResourceLimits
  /** What is said where the thread ended before it was done. */
  readonly stopping: () => AppError
}

/** Has one job done on a thread of its own. */
export function startJob<Result>(
  thread: URL,
  { workerData, resourceLimits, stopping }: JobOptions,
): StartedJob<Result> {
  const worker = new Worker(thread, { workerData, ...(resourceLimits && { resourceLimits }) })
  const result = new Promise<Result>((resolve, reject) => {
    let answer: JobAnswer | undefined
    worker.on('message', (message: JobAnswer) => {
      answer = message
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      if (answer === undefined) reject(stopping())
      else if (answer[1] === undefined) resolve(answer[0] as Result)
      else reject(errorOf(answer[1]))
    })
  })
  return { worker, result }
}
