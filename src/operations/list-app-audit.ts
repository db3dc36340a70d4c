import { isForAppAlone } from '../domain/key-rules.ts'
import type { AccountApp } from '../storage/account-records.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { checkAuditLimit, type DescribedAuditEntry, describeAuditEntry } from './describe-audit-entry.ts'
import type { AppInput } from './open-app.ts'

const DEFAULT_ENTRIES = 100

export type AppAuditEntry = Pick<DescribedAuditEntry, 'at' | 'actor' | 'action' | 'subject' | 'details'> & {
  /** Where it was done from; for the owner alone. */
  readonly address?: string | null
}

/**
 * Who changed what of an app, its keys and shares, the newest first, for its owner and editors. Which other apps keys
 * reach is told to the owner alone.
 * @param input `limit` is 100 where it is not given, 1,000 at most
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_parameter`
 */
export async function listAppAudit(
  context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug, limit = DEFAULT_ENTRIES }: AppInput & { readonly limit?: number | undefined },
): Promise<AppAuditEntry[]> {
  const found = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'read' })
  checkAuditLimit(limit)
  const entries = await context.accounts.listAudit({ limit, app: found.app.id })
  return entries.map(describeAuditEntry).map((entry) => shownTo(found, entry))
}

function shownTo(
  { app: { slug }, role }: AccountApp,
  { at, actor, action, subject, details, address }: DescribedAuditEntry,
): AppAuditEntry {
  const entry = { at, actor, action, subject, details }
  if (role === 'owner') return { ...entry, address }
  const { apps, ...others } = details
  return isOwnList(apps, slug) ? entry : { ...entry, details: others }
}

function isOwnList(apps: unknown, slug: string): boolean {
  return Array.isArray(apps) && isForAppAlone({ apps }, slug)
}
