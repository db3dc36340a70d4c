import { candidatesFor } from '../auto-index/candidate-indexes.ts'
import { collectionName } from '../domain/names.ts'
import { indexName } from '../query/index-fields.ts'
import { readFilter, readSort } from '../query/read-query.ts'
import { fingerprintOf } from '../query-stats/query-fingerprint.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext, IndexedCollection } from './context.ts'

export interface AdviseAppIndexInput extends IndexedCollection {
  /** JSON texts of query and sort. */
  readonly q: string | undefined
  readonly s: string | undefined
}

/**
 * The index that would serve a query whose first matches are shown, by the rule of automatic indexes; null where none would
 * that isn't there. Where there is a sort, that which has what matches in its order comes first.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_name`, and as the query's readers do
 */
export async function adviseAppIndex(
  { accounts, indexes, limits }: Pick<AccountsContext, 'accounts' | 'indexes' | 'limits'>,
  caller: AccountCaller,
  input: AdviseAppIndexInput,
): Promise<{ readonly fields: string } | null> {
  const need = { slug: input.app, role: 'viewer', permission: 'read' } as const
  const { app } = await authoriseCaller({ accounts }, caller, need)
  const collection = collectionName(input.collection)
  const asked = fingerprintOf(readFilter(input.q, limits), readSort(input.s, limits))
  const { byConditions, bySort } = candidatesFor(asked)
  const names = [...(bySort === undefined ? [] : [bySort]), ...byConditions].map(indexName)
  if (names.length === 0) return null
  const there = new Set(
    (await indexes.known(app.id)).indexes
      .filter((each) => each.collection === collection)
      .map(({ name }) => name),
  )
  const fields = names.find((name) => !there.has(name))
  return fields === undefined ? null : { fields }
}
