import { AppError } from '../errors.ts'
import type { AccountsContext } from './context.ts'

/**
 * The first account is an operator's, for no other could let anybody in.
 * @throws AppError `invalid_account`
 */
export async function requireFirstOperator(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  { isOperator }: { readonly isOperator: boolean },
): Promise<void> {
  if (isOperator || (await accounts.countAccounts()) > 0) return
  throw new AppError(
    'invalid_account',
    'there is no account yet, and the first one is an operator\'s: add --operator, or use "sheaf account setup-link"',
  )
}
