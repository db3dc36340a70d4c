import { passwordProblem } from '../credentials/password-rules.ts'
import { AppError } from '../errors.ts'
import type { AccountsContext } from './context.ts'
import { endedLink, findOpenLink } from './find-open-link.ts'
import { tellAccount } from './tell-account.ts'

export interface ResetPasswordInput {
  /** What stands behind `#` in the link. */
  readonly secret: string
  readonly password: string
  /** Where the request comes from. */
  readonly address: string
}

/**
 * Gives an account another password by a link, which is used up by that, and ends all of its sessions. It begins none:
 * the second factor stays, and is asked for at the next sign-in.
 * @returns the e-mail address to sign in by
 * @throws AppError `invalid_link`, `invalid_account`, `overloaded`
 */
export async function resetPassword(
  context: Pick<AccountsContext, 'accounts' | 'passwords' | 'mail' | 'now'>,
  { secret, password, address }: ResetPasswordInput,
): Promise<{ email: string }> {
  const { accounts, passwords } = context
  const link = await findOpenLink(context, secret)
  const account = link.purpose === 'reset' ? await accounts.findAccount({ id: link.account }) : undefined
  if (account === undefined) throw endedLink()
  const problem = passwordProblem(password, account)
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  const kept = await passwords.hash(password, address)
  const { id, email } = await accounts.useLinkForPassword({ hash: link.hash, password: kept, address })
  tellAccount(context, { id, email }, { notice: 'password', caller: { address } })
  return { email }
}
