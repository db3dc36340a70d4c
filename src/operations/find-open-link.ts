import { hashSecret, isSecret } from '../credentials/secret.ts'
import { AppError } from '../errors.ts'
import type { Link } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

/**
 * The link that a secret is of, where it is still good: that for setting up is so until there is an account.
 * @throws AppError `invalid_link`
 */
export async function findOpenLink(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  secret: string,
): Promise<Link> {
  const link = isSecret(secret) ? await accounts.findLink(hashSecret(secret)) : undefined
  if (link === undefined || (link.purpose === 'setup' && (await accounts.countAccounts()) > 0))
    throw endedLink()
  return link
}

/** The same words whatever is wrong with it. */
export function endedLink(): AppError {
  return new AppError('invalid_link', 'this link was used, has ended, or never was; ask for another one')
}
