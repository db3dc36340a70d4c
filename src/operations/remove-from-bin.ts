import type { Principal } from '../domain/principal.ts'
import { authorise } from './authorise.ts'
import type { OperationContext } from './context.ts'
import type { RenamedCollection } from './rename-collection.ts'
import type { BinInput } from './restore-collection.ts'

/**
 * Removes a collection from the bin before its time, with all of its documents.
 * @returns what it was
 * @throws AppError for the app as `authorise` does, and what the store throws
 */
export async function removeFromBin(
  context: OperationContext,
  principal: Principal,
  { app, id }: BinInput,
): Promise<RenamedCollection> {
  const address = { app: authorise(context, principal, app, 'delete').id, id }
  const { name, documents } = await context.store.collections.remove(address)
  return { name, documents }
}
