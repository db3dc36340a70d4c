import type { Principal } from '../domain/principal.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

/**
 * Deletes a collection with all of its documents and indexes; answers whether there was one.
 * @throws AppError for the app and the name as their readers do, and what the store throws
 */
export async function dropCollection(
  context: OperationContext,
  principal: Principal,
  input: CollectionInput,
): Promise<boolean> {
  return context.store.dropCollection(authoriseCollection(context, principal, input, 'delete'))
}
