import { AppError } from '../errors.ts'
import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, CommandLineCaller } from './context.ts'
import { findAccount } from './find-account.ts'

/**
 * Ends a token of an account for good, for whoever runs commands on the server.
 * @throws AppError `account_not_found`, `token_not_found`
 */
export async function deleteAccountToken(
  context: Pick<AccountsContext, 'accounts'>,
  caller: CommandLineCaller,
  input: {
    /** Its id or its e-mail. */
    readonly account: string
    /** The token's. */
    readonly name: string
  },
): Promise<void> {
  const account = (await findAccount(context, input.account)).id
  const token = (await context.accounts.listTokens(account)).find(({ name }) => name === input.name)
  if (token === undefined) throw new AppError('token_not_found', 'the account has no such token')
  await context.accounts.deleteToken({ account, id: token.id }, actorOf(caller))
}
