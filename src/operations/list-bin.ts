import type { Principal } from '../domain/principal.ts'
import { DROPPED_COLLECTION_MS } from '../storage/collection-store.ts'
import { authorise } from './authorise.ts'
import type { OperationContext } from './context.ts'
import { type DescribedBinEntry, describeBinEntry } from './describe-bin-entry.ts'
import type { AppInput } from './open-app.ts'

/**
 * The collections of an app that can be brought back, the newest first.
 * @throws AppError for the app as `authorise` does, and what the store throws
 */
export async function listBin(
  context: OperationContext,
  principal: Principal,
  { app }: AppInput,
): Promise<DescribedBinEntry[]> {
  const entries = await context.store.collections.listBin(authorise(context, principal, app, 'read').id)
  const since = context.now() - DROPPED_COLLECTION_MS
  return entries
    .filter(({ droppedAt }) => droppedAt > since)
    .map((entry) => describeBinEntry(principal, entry))
}
