import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, CommandLineCaller } from './context.ts'
import { addToken, type CreatedToken, type CreateTokenInput } from './create-token.ts'
import { findAccount } from './find-account.ts'

/**
 * Makes a bearer token of an account, for whoever runs commands on the server.
 * @throws AppError `account_not_found`, and as `createToken` does
 */
export async function createAccountToken(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: CommandLineCaller,
  {
    account,
    ...input
  }: CreateTokenInput & {
    /** Its id or its e-mail. */
    readonly account: string
  },
): Promise<CreatedToken> {
  return addToken(context, { account: await findAccount(context, account), actor: actorOf(caller) }, input)
}
