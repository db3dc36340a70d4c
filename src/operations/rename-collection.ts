import { collectionName } from '../domain/names.ts'
import type { Principal } from '../domain/principal.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

export interface RenamedCollection {
  readonly name: string
  readonly documents: number
}

/**
 * Gives a collection another name. Keys that name it do not follow.
 * @throws AppError for the app and the names as their readers do, and what the store throws
 */
export async function renameCollection(
  context: OperationContext,
  principal: Principal,
  { name, ...input }: CollectionInput & { readonly name: string },
): Promise<RenamedCollection> {
  const address = authoriseCollection(context, principal, input, 'create', 'delete')
  const to = collectionName(name)
  return {
    name: to,
    documents: await context.store.collections.rename({ ...address, to, now: context.now() }),
  }
}
