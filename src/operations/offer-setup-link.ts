import { generateLink } from '../credentials/account-link.ts'
import type { Link } from '../storage/account-records.ts'

/** The part of the accounts that a start has open. */
interface FirstAccount {
  hasAccounts(): boolean
  putSetupLink(link: Pick<Link, 'hash' | 'until'>): void
}

/**
 * The link that a start shows, by which the first account is made, good for a day and once; the one before it ends.
 * Undefined where there is an account.
 * @throws AppError `store_unavailable`
 */
export function offerSetupLink(
  accounts: FirstAccount,
  { origin, now }: { readonly origin: string; readonly now: () => number },
): string | undefined {
  if (accounts.hasAccounts()) return undefined
  const { link, hash, until } = generateLink('setup', { origin, now })
  accounts.putSetupLink({ hash, until })
  return link
}
