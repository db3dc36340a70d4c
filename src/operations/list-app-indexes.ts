import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedUse, describeUsedIndex } from './describe-index.ts'
import { withUses } from './list-indexes.ts'
import type { AppInput } from './open-app.ts'

export interface ListAppIndexesInput extends AppInput {
  /** Without it, those of every collection. */
  readonly collection?: string | undefined
}

/** The indexes of an app, those that are being made among them. @throws AppError as `authoriseCaller` does */
export async function listAppIndexes(
  {
    accounts,
    indexes,
    queryStats,
    now,
  }: Pick<AccountsContext, 'accounts' | 'indexes' | 'queryStats' | 'now'>,
  caller: AccountCaller,
  { app: slug, collection }: ListAppIndexesInput,
): Promise<DescribedUse[]> {
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'viewer', permission: 'read' })
  const found = (await indexes.list(app.id)).filter(
    (index) => collection === undefined || index.collection === collection,
  )
  return withUses(found, queryStats.load(), { app: app.id, now: now() }).map(describeUsedIndex)
}
