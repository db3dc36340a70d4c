import { passwordProblem } from '../credentials/password-rules.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, CommandLineCaller } from './context.ts'
import { findAccount } from './find-account.ts'

export interface SetAccountPasswordInput {
  /** Its id or its e-mail. */
  readonly account: string
  readonly password: string
}

/**
 * Gives an account another password at once, for whoever runs commands on the server, and ends all of its sessions.
 * @throws AppError `account_not_found`, `invalid_account`
 */
export async function setAccountPassword(
  context: Pick<AccountsContext, 'accounts' | 'passwords'>,
  caller: CommandLineCaller,
  { account, password }: SetAccountPasswordInput,
): Promise<AccountRecord> {
  const { id, email } = await findAccount(context, account)
  const problem = passwordProblem(password, { email })
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  const kept = await context.passwords.hash(password)
  return context.accounts.updateAccount({ id, password: kept }, actorOf(caller))
}
