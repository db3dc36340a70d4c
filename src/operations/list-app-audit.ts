import { isForAppAlone } from '../domain/key-rules.ts'
import { AppError } from '../errors.ts'
import type { AccountApp } from '../storage/account-records.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { DescribedAuditEntry } from './describe-audit-entry.ts'
import { type AuditInput, findAuditEntries } from './find-audit-entries.ts'
import type { AppInput } from './open-app.ts'

export type AppAuditEntry = Pick<
  DescribedAuditEntry,
  'id' | 'at' | 'actor' | 'action' | 'subject' | 'details'
> & {
  /** Where it was done from; for the owner alone. */
  readonly address?: string | null
}

/**
 * Who changed what of an app, its keys and shares, the newest first, for its owner and editors. Which other apps keys
 * reach is told to the owner alone.
 * @throws AppError `app_not_found`, `permission_denied`, also where an editor searches for addresses, `invalid_parameter`
 */
export async function listAppAudit(
  context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug, ...input }: AppInput & AuditInput,
): Promise<AppAuditEntry[]> {
  const found = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'read' })
  if (input.address !== undefined && found.role !== 'owner')
    throw new AppError('permission_denied', 'only the owner of the app sees addresses')
  const entries = await findAuditEntries(context.accounts, input, { app: found.app.id })
  return entries.map((entry) => shownTo(found, entry))
}

function shownTo(
  { app: { slug }, role }: AccountApp,
  { id, at, actor, action, subject, details, address }: DescribedAuditEntry,
): AppAuditEntry {
  const entry = { id, at, actor, action, subject, details }
  if (role === 'owner') return { ...entry, address }
  const { apps, ...others } = details
  return isOwnList(apps, slug) ? entry : { ...entry, details: others }
}

function isOwnList(apps: unknown, slug: string): boolean {
  return Array.isArray(apps) && isForAppAlone({ apps }, slug)
}
