import type { Limits } from '../domain/limits.ts'
import { collectionName } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import type { QueryStatsStore } from '../query-stats/stats-snapshot.ts'
import type { IndexStore } from '../storage/index-store.ts'
import type { CollectionAddress, ControlStore } from '../storage/store.ts'

/** What every operation on indexes works with. */
export interface IndexContext {
  readonly control: ControlStore
  readonly indexes: IndexStore
  /** What the server has seen of the reads. */
  readonly stats: QueryStatsStore
  readonly limits: Limits
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** A collection as an operator names it. */
export interface IndexedCollection {
  /** The app's slug. */
  readonly app: string
  readonly collection: string
}

/** @throws AppError `app_not_found`, `invalid_name` */
export async function addressOf(
  context: IndexContext,
  { app, collection }: IndexedCollection,
): Promise<CollectionAddress> {
  return { app: await appIdOf(context, app), collection: collectionName(collection) }
}

/** @throws AppError `app_not_found` */
export async function appIdOf({ control }: IndexContext, slug: string): Promise<string> {
  const app = (await control.listApps()).find((each) => each.slug === slug)
  if (app === undefined) throw new AppError('app_not_found', `there is no app ${JSON.stringify(slug)}`)
  return app.id
}
