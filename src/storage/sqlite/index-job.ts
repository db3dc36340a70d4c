import type { CollectionBytes } from '../../analytics/pack.ts'
import { AppError } from '../../errors.ts'
import type { FinishedIndexes, KnownIndex, KnownIndexes } from '../index-jobs.ts'
import type { IndexCommand } from '../index-store.ts'
import type { CollectionAddress } from '../store.ts'
import { type Failure, failureOf } from './protocol/failures.ts'
import { SqliteIndexes } from './sqlite-indexes.ts'

/** What a thread for indexes does in its life. */
export type IndexJob =
  | { readonly kind: 'finishAll'; readonly apps: readonly string[] }
  | { readonly kind: 'list'; readonly app: string }
  | { readonly kind: 'known'; readonly app: string }
  | { readonly kind: 'records'; readonly app: string }
  | { readonly kind: 'measure'; readonly apps: readonly string[] }
  | { readonly kind: 'create'; readonly command: IndexCommand }
  /** To be filled by another job. */
  | { readonly kind: 'register'; readonly command: IndexCommand }
  | { readonly kind: 'drop'; readonly index: CollectionAddress & { readonly name: string } }
  /** To be emptied by another job. */
  | { readonly kind: 'giveUp'; readonly index: CollectionAddress & { readonly name: string } }

interface IndexFiles {
  readonly dataDir: string
  readonly pageBytes?: number | undefined
}

/** Does a job, and answers what it is to answer. */
export async function doIndexJob(files: IndexFiles, job: IndexJob): Promise<unknown> {
  const indexes = new SqliteIndexes(files)
  try {
    return await work(indexes, job)
  } finally {
    await indexes.close()
  }
}

async function work(indexes: SqliteIndexes, job: IndexJob): Promise<unknown> {
  switch (job.kind) {
    case 'finishAll':
      return finishAll(indexes, job.apps)
    case 'list':
      return indexes.knownIndexes(job.app)
    case 'known':
      return {
        indexes: indexes.knownIndexes(job.app),
        documents: await indexes.countDocuments(job.app),
      } satisfies KnownIndexes
    case 'records':
      return indexes.listIndexes(job.app)
    case 'measure':
      return measureAll(indexes, job.apps)
    case 'register':
      return indexes.createIndex(job.command)
    case 'giveUp':
      return indexes.dropIndex(job.index)
    case 'create':
      await indexes.createIndex(job.command)
      return indexes.finishIndexes(job.command.app)
    case 'drop':
      await indexes.dropIndex({ ...job.index, onlyAutomatic: true })
      return indexes.finishIndexes(job.index.app)
    default:
      return job satisfies never
  }
}

/** The same on its way between threads. */
export type FinishedJob = Pick<FinishedIndexes, 'automatic'> & { readonly failures: readonly Failure[] }

async function finishAll(indexes: SqliteIndexes, apps: readonly string[]): Promise<FinishedJob> {
  const automatic = new Map<string, readonly KnownIndex[]>()
  const failures: Failure[] = []
  for (const app of apps) {
    try {
      await indexes.finishIndexes(app)
      const found = indexes.knownIndexes(app).filter(({ isAutomatic }) => isAutomatic)
      if (found.length > 0) automatic.set(app, found)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'app_not_found')) failures.push(failureOf(error))
    }
  }
  return { automatic, failures }
}

/** Those that are there. */
function measureAll(indexes: SqliteIndexes, apps: readonly string[]): Map<string, CollectionBytes[]> {
  const measured = new Map<string, CollectionBytes[]>()
  for (const app of apps) {
    try {
      measured.set(app, indexes.measure(app))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'app_not_found')) throw error
    }
  }
  return measured
}
