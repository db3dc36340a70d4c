import { stat } from 'node:fs/promises'
import type { RestoredKeys } from '../storage/account-changes.ts'
import { actorOf, ownerOf, requireRecentPassword, requireTokenPermission } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { createAppFromBackup } from './create-app-from-backup.ts'
import { type DescribedApp, describeAccountApps } from './describe-account-apps.ts'
import { withRoomOf } from './require-room-of.ts'

export interface AppRestoreInput {
  /** Of the new app. */
  readonly slug: string
  /** Which app of a backup that has several. */
  readonly from?: string | undefined
  /** Where what was sent is. */
  readonly path: string
}

export interface RestoredApp extends DescribedApp {
  readonly restored: { readonly collections: number; readonly documents: number; readonly keys: RestoredKeys }
}

/**
 * Makes an app of one in a backup that was sent, whoever made that; the app is the caller's, as one that it makes.
 * @throws AppError `permission_denied`, `password_required`, `quota_exceeded`, and as `BackupService.read` and `createAppFromBackup` do
 */
export async function restoreAppFromBackup(
  context: Pick<AccountsContext, 'accounts' | 'backups' | 'quotaUses' | 'now'>,
  caller: Caller,
  { slug, from, path }: AppRestoreInput,
): Promise<RestoredApp> {
  const { accounts, backups, now } = context
  if (caller.kind === 'account') requireTokenPermission(caller, 'apps')
  requireRecentPassword(context, caller)
  const owner = caller.kind === 'account' ? ownerOf(caller.account) : null
  const read = await backups.read(path, from)
  try {
    const account = { control: accounts, actor: actorOf(caller), owner, now }
    const { size: bytes } = await stat(read.path)
    const { app, keys } = await withRoomOf(context, caller, {
      ...{ owner, bytes },
      write: () => createAppFromBackup(account, { slug, read }),
    })
    const [described] = await describeAccountApps(accounts, [{ app, role: 'owner' }])
    const { collections, documents } = read
    return { ...described!, restored: { collections, documents, keys } }
  } finally {
    await backups.discard(read.path)
  }
}
