import type { Principal } from '../domain/principal.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'
import { type DescribedBinEntry, describeBinEntry } from './describe-bin-entry.ts'

/**
 * Puts a collection in the bin, and one like it without documents in its place.
 * @returns null where there were no documents
 * @throws AppError for the app and the name as their readers do, and what the store throws
 */
export async function emptyCollection(
  context: OperationContext,
  principal: Principal,
  input: CollectionInput,
): Promise<DescribedBinEntry | null> {
  const address = authoriseCollection(context, principal, input, 'create', 'delete')
  const entry = await context.store.collections.empty({ ...address, by: principal.name, now: context.now() })
  return entry === undefined ? null : describeBinEntry(principal, entry)
}
