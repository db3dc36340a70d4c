import { isoTime } from '../domain/iso-time.ts'
import type { AccountApp } from '../storage/account-records.ts'
import type { AccountStore } from '../storage/account-store.ts'
import type { AppRole } from './authorise-caller.ts'
import { findOwnerEmails } from './find-owner-emails.ts'

/** An app as one account sees it. */
export interface DescribedApp {
  readonly slug: string
  /** What the account is to it. */
  readonly role: AppRole
  /** The e-mail of the account whose it is; null for the operator's. */
  readonly owner: string | null
  readonly createdAt: string
}

/** Each with its owner. */
export async function describeAccountApps(
  accounts: Pick<AccountStore, 'findAccount'>,
  apps: readonly AccountApp[],
): Promise<DescribedApp[]> {
  const emails = await findOwnerEmails(
    accounts,
    apps.map(({ app }) => app),
  )
  return apps.map(({ app: { slug, owner, createdAt }, role }) => ({
    slug,
    role,
    owner: emails.get(owner) ?? null,
    createdAt: isoTime(createdAt),
  }))
}
