import { collectionName } from '../domain/names.ts'
import { indexName, parseIndexFields } from '../query/index-fields.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext, IndexedCollection } from './context.ts'

/**
 * Drops an index, which is used no more from here on.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_name`, `index_not_found`, and as `parseIndexFields` does
 */
export async function dropAppIndex(
  { accounts, indexes, limits }: Pick<AccountsContext, 'accounts' | 'indexes' | 'limits'>,
  caller: AccountCaller,
  input: IndexedCollection & { readonly fields: string },
): Promise<void> {
  const need = { slug: input.app, role: 'editor', permission: 'apps' } as const
  const { app } = await authoriseCaller({ accounts }, caller, need)
  const name = indexName(parseIndexFields(input.fields, limits))
  const collection = collectionName(input.collection)
  await indexes.drop({ app: app.id, collection, name })
  await accounts.noteIndex({ action: 'index.drop', app: app.id, collection, fields: name }, actorOf(caller))
}
