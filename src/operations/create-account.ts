import { passwordProblem } from '../credentials/password-rules.ts'
import { accountNameProblem, emailProblem } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, CommandLineCaller } from './context.ts'
import { requireFirstOperator } from './require-first-operator.ts'

export interface CreateAccountInput {
  readonly email: string
  readonly name: string
  readonly password: string
  readonly isOperator: boolean
}

/**
 * Makes an account with its password at once, for whoever runs commands on the server; others invite.
 * @throws AppError `invalid_account`, `account_exists`, `too_many_accounts`
 */
export async function createAccount(
  context: Pick<AccountsContext, 'accounts' | 'passwords'>,
  caller: CommandLineCaller,
  { email, name, password, isOperator }: CreateAccountInput,
): Promise<AccountRecord> {
  const problem = emailProblem(email) ?? accountNameProblem(name) ?? passwordProblem(password, { email })
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  await requireFirstOperator(context, { isOperator })
  const account = { email, name, isOperator, password: await context.passwords.hash(password) }
  return context.accounts.createAccount(account, actorOf(caller))
}
