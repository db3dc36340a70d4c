import type { Worker } from 'node:worker_threads'
import type { CollectionBytes } from '../../analytics/pack.ts'
import { AppError } from '../../errors.ts'
import type { FinishedIndexes, IndexJobs, KnownIndex, KnownIndexes } from '../index-jobs.ts'
import type { IndexCommand, IndexRecord } from '../index-store.ts'
import type { CollectionAddress } from '../store.ts'
import type { FinishedJob, IndexJob } from './index-job.ts'
import type { IndexThreadSettings } from './index-thread.ts'
import { errorOf } from './protocol/failures.ts'
import { startJob } from './start-job.ts'

/**
 * Has jobs on indexes done on a thread that is started for each, and ends with it: so that none is there, and no
 * memory is taken, while there is nothing to do.
 */
export class IndexWorker implements IndexJobs {
  private readonly dataDir: string
  private readonly pageBytes: number | undefined
  private running: Worker | undefined
  private last: Promise<unknown> = Promise.resolve()
  private isClosed = false

  /** @param pageBytes memory for pages of files; without it as much as is of use */
  constructor({ dataDir, pageBytes }: { dataDir: string; pageBytes?: number | undefined }) {
    this.dataDir = dataDir
    this.pageBytes = pageBytes
  }

  async finishAll(apps: readonly string[]): Promise<FinishedIndexes> {
    const { automatic, failures } = await this.afterOthers<FinishedJob>({ kind: 'finishAll', apps })
    return { automatic, failures: failures.map(errorOf) }
  }

  list(app: string): Promise<readonly KnownIndex[]> {
    return this.afterOthers({ kind: 'list', app })
  }

  /** The same with how many documents there are. @throws AppError `app_not_found` */
  known(app: string): Promise<KnownIndexes> {
    return this.afterOthers({ kind: 'known', app })
  }

  /** How much the collections of apps take; without those that are not there. */
  measure(apps: readonly string[]): Promise<ReadonlyMap<string, readonly CollectionBytes[]>> {
    return this.afterOthers({ kind: 'measure', apps })
  }

  create(command: IndexCommand): Promise<void> {
    return this.afterOthers({ kind: 'create', command })
  }

  drop(index: CollectionAddress & { readonly name: string }): Promise<void> {
    return this.afterOthers({ kind: 'drop', index })
  }

  /** The indexes with all that there is to tell of them. @throws AppError `app_not_found` */
  records(app: string): Promise<readonly IndexRecord[]> {
    return this.afterOthers({ kind: 'records', app })
  }

  /** Registers an index, which `finishAll` then fills. @throws AppError as `IndexStore.createIndex` does */
  register(command: IndexCommand): Promise<void> {
    return this.afterOthers({ kind: 'register', command })
  }

  /** Drops any index, which `finishAll` then empties. @throws AppError as `IndexStore.dropIndex` does */
  giveUp(index: CollectionAddress & { readonly name: string }): Promise<void> {
    return this.afterOthers({ kind: 'giveUp', index })
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.running?.postMessage('end')
    await this.last.catch(() => undefined)
  }

  private afterOthers<Result>(job: IndexJob): Promise<Result> {
    const done = this.last.catch(() => undefined).then(() => this.run<Result>(job))
    this.last = done
    return done
  }

  private run<Result>(job: IndexJob): Promise<Result> {
    if (this.isClosed) return Promise.reject(stopping())
    const workerData: IndexThreadSettings = { dataDir: this.dataDir, pageBytes: this.pageBytes, job }
    const { worker, result } = startJob<Result>(new URL('./index-thread.ts', import.meta.url), {
      workerData,
      stopping,
    })
    worker.once('exit', () => {
      this.running = undefined
    })
    this.running = worker
    return result
  }
}

function stopping(): AppError {
  return new AppError('store_unavailable', 'the work on indexes was stopped')
}
