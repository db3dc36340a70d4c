import type { AccountStore } from '../storage/account-store.ts'
import type { AppRecord } from '../storage/store.ts'

/** The e-mails of the accounts that own apps, by their ids; each is looked up once. */
export async function findOwnerEmails(
  accounts: Pick<AccountStore, 'findAccount'>,
  apps: readonly Pick<AppRecord, 'owner'>[],
): Promise<ReadonlyMap<string | null, string>> {
  const emails = new Map<string | null, string>()
  for (const owner of new Set(apps.map((app) => app.owner))) {
    const account = owner === null ? undefined : await accounts.findAccount({ id: owner })
    if (account !== undefined) emails.set(owner, account.email)
  }
  return emails
}
