import type { CollectionNote } from '../storage/account-notes.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

/**
 * Adds a line to the audit trail for what a caller did to a collection as a whole.
 * @param note with the app's slug
 * @throws AppError `app_not_found`, `permission_denied`
 */
export async function noteCollectionChange(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { app: slug, ...note }: CollectionNote,
): Promise<void> {
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'editor', permission: 'write' })
  await accounts.noteCollection({ ...note, app: app.id }, actorOf(caller))
}
