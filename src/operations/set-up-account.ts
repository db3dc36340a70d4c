import { passwordProblem } from '../credentials/password-rules.ts'
import { hashSecret } from '../credentials/secret.ts'
import { accountNameProblem, emailProblem } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

export interface SetUpAccountInput {
  /** What stands behind `#` in the link. */
  readonly secret: string
  readonly email: string
  readonly name: string
  readonly password: string
  readonly address: string
}

/**
 * Makes the account that a setup link or an invitation is good for, which is used up by that; of two at once one does.
 * @throws AppError `invalid_account`, `invalid_link`, `account_exists`, `too_many_accounts`, `overloaded`
 */
export async function setUpAccount(
  { accounts, passwords }: Pick<AccountsContext, 'accounts' | 'passwords'>,
  { secret, email, name, password, address }: SetUpAccountInput,
): Promise<AccountRecord> {
  const hash = hashSecret(secret)
  // Before a password is hashed, which is dear.
  const link = await accounts.findLink(hash)
  if (link === undefined || link.purpose === 'reset') throw endedLink()
  const problem = emailProblem(email) ?? accountNameProblem(name) ?? passwordProblem(password, { email })
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  const account = { email, name, password: await passwords.hash(password) }
  return accounts.useLinkForAccount({ hash, account, address })
}

function endedLink(): AppError {
  return new AppError('invalid_link', 'this link was used, has ended, or never was; ask for another one')
}
