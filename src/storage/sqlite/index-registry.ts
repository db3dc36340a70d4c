import type { CollectionBytes } from '../../analytics/pack.ts'
import type { IndexRegistry, KnownIndexes } from '../index-jobs.ts'
import type { IndexCommand, IndexRecord } from '../index-store.ts'
import type { CollectionAddress } from '../store.ts'
import { IndexWorker } from './index-worker.ts'

interface RegistryOptions {
  readonly dataDir: string
  /** As an `IndexWorker` takes it. */
  readonly pageBytes?: number | undefined
  /** Told of work that could not go on, for the log. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Changes and lists the indexes of apps beside a server that works on them itself. What takes minutes waits for its like,
 * and never what takes a moment.
 */
export class SqliteIndexRegistry implements IndexRegistry {
  private readonly moments: IndexWorker
  private readonly minutes: IndexWorker
  private readonly onFailure: (error: unknown) => void
  private isClosed = false

  constructor({ onFailure, ...files }: RegistryOptions) {
    this.moments = new IndexWorker(files)
    this.minutes = new IndexWorker(files)
    this.onFailure = onFailure
  }

  list(app: string): Promise<readonly IndexRecord[]> {
    return this.moments.records(app)
  }

  known(app: string): Promise<KnownIndexes> {
    return this.moments.known(app)
  }

  /** How much the collections of apps, by their ids, take; without apps that are not there. */
  measure(apps: readonly string[]): Promise<ReadonlyMap<string, readonly CollectionBytes[]>> {
    return this.minutes.measure(apps)
  }

  async create(command: IndexCommand): Promise<void> {
    await this.moments.register(command)
    void this.finish(command.app)
  }

  async drop(index: CollectionAddress & { readonly name: string }): Promise<void> {
    await this.moments.giveUp(index)
    void this.finish(index.app)
  }

  /** Stops between two transactions; what is unfinished is finished after the next start. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([this.moments.close(), this.minutes.close()])
  }

  private async finish(app: string): Promise<void> {
    try {
      const { failures } = await this.minutes.finishAll([app])
      failures.forEach(this.onFailure)
    } catch (error) {
      if (!this.isClosed) this.onFailure(error)
    }
  }
}
