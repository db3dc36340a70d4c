import type { Principal } from '../domain/principal.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'
import { type DescribedBinEntry, describeBinEntry } from './describe-bin-entry.ts'

/**
 * Drops a collection with its indexes into the bin.
 * @throws AppError for the app and the name as their readers do, and what the store throws
 */
export async function binCollection(
  context: OperationContext,
  principal: Principal,
  input: CollectionInput,
): Promise<DescribedBinEntry> {
  const address = authoriseCollection(context, principal, input, 'delete')
  const entry = await context.store.collections.bin({ ...address, by: principal.name, now: context.now() })
  return describeBinEntry(principal, entry)
}
