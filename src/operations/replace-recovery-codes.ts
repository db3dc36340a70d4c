import { createRecoveryCodes } from '../credentials/recovery-codes.ts'
import { AppError } from '../errors.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { ShownRecoveryCodes } from './enable-totp.ts'
import { tellAccount } from './tell-account.ts'

/**
 * Ten new recovery codes; those before are good for nothing from then on.
 * @throws AppError `permission_denied` to a token, `password_required`, `invalid_code` where there is no second factor
 */
export async function replaceRecoveryCodes(
  context: Pick<AccountsContext, 'accounts' | 'now' | 'mail'>,
  caller: AccountCaller,
): Promise<ShownRecoveryCodes> {
  requireSession(caller)
  requireRecentPassword(context, caller)
  if (!caller.account.hasTotp)
    throw new AppError('invalid_code', 'there is no second factor that these codes could stand in for')
  const { codes, hashes } = createRecoveryCodes()
  await context.accounts.replaceRecoveryCodes({ account: caller.account.id, hashes }, actorOf(caller))
  tellAccount(context, caller.account, { notice: 'recovery-codes', caller })
  return { recoveryCodes: codes }
}
