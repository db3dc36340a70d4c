import { authoriseCaller, requireRecentPassword } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { AppInput } from './open-app.ts'

export interface CollectionChangeInput extends AppInput {
  /** Whether it can't be taken back. */
  readonly isFinal: boolean
}

/**
 * Lets a caller change collections of an app as a whole, or not, before that is done.
 * @throws AppError `app_not_found`, `permission_denied`, `password_required`
 */
export async function approveCollectionChange(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: Caller,
  { app: slug, isFinal }: CollectionChangeInput,
): Promise<void> {
  await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'write' })
  if (isFinal) requireRecentPassword(context, caller)
}
