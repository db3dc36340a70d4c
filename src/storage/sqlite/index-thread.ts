import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import type { KnownIndex } from '../index-jobs.ts'
import type { IndexCommand } from '../index-store.ts'
import type { CollectionAddress } from '../store.ts'
import { failureOf } from './failures.ts'
import { SqliteIndexes } from './index-store.ts'

/** What a thread for indexes does in its life. */
export type IndexJob =
  | { readonly kind: 'finishAll'; readonly apps: readonly string[] }
  | { readonly kind: 'list'; readonly app: string }
  | { readonly kind: 'create'; readonly command: IndexCommand }
  | { readonly kind: 'drop'; readonly index: CollectionAddress & { readonly name: string } }

export interface IndexThreadSettings {
  readonly dataDir: string
  readonly job: IndexJob
}

async function work(indexes: SqliteIndexes, job: IndexJob): Promise<unknown> {
  switch (job.kind) {
    case 'finishAll':
      return finishAll(indexes, job.apps)
    case 'list':
      return indexes.knownIndexes(job.app)
    case 'create':
      await indexes.createIndex(job.command)
      return indexes.finishIndexes(job.command.app)
    case 'drop':
      await indexes.dropIndex(job.index)
      return indexes.finishIndexes(job.index.app)
    default:
      return job satisfies never
  }
}

async function finishAll(
  indexes: SqliteIndexes,
  apps: readonly string[],
): Promise<Map<string, readonly KnownIndex[]>> {
  const automatic = new Map<string, readonly KnownIndex[]>()
  const failures: unknown[] = []
  for (const app of apps) {
    try {
      await indexes.finishIndexes(app)
      const found = indexes.knownIndexes(app).filter(({ isAutomatic }) => isAutomatic)
      if (found.length > 0) automatic.set(app, found)
    } catch (error) {
      // An app may be deleted meanwhile.
      if (!(error instanceof AppError && error.code === 'app_not_found')) failures.push(error)
    }
  }
  // One app whose file can't be used keeps none of the others from being finished.
  if (failures.length > 0) throw failures[0]
  return automatic
}

/** A thread that does one job on indexes, and ends. Any message asks it to end before, between two transactions. */
async function run(port: MessagePort, { dataDir, job }: IndexThreadSettings): Promise<void> {
  const indexes = new SqliteIndexes({ dataDir })
  const end = async (): Promise<void> => {
    await indexes.close()
    process.exit(0)
  }
  port.on('message', end)
  port.unref()
  try {
    port.postMessage([await work(indexes, job)])
  } catch (error) {
    port.postMessage([undefined, failureOf(error)])
  }
  await indexes.close()
  port.close()
}

await run(parentPort!, workerData as IndexThreadSettings)
