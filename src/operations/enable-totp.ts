import { createRecoveryCodes } from '../credentials/recovery-codes.ts'
import { isTotpSecret, totpStep } from '../credentials/totp.ts'
import { AppError } from '../errors.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { tellAccount } from './tell-account.ts'

export interface EnableTotpInput {
  /** One that `beginTotp` made. */
  readonly secret: string
  /** Of the app that has it; it counts as used. */
  readonly code: string
}

export interface ShownRecoveryCodes {
  /** They can't be had again. */
  readonly recoveryCodes: readonly string[]
}

/**
 * Gives the account a second factor, in place of one that it has, and ends all of its sessions but this one.
 * @throws AppError `permission_denied` to a token, `password_required`, `invalid_code`
 */
export async function enableTotp(
  context: Pick<AccountsContext, 'accounts' | 'now' | 'mail'>,
  caller: AccountCaller,
  { secret, code }: EnableTotpInput,
): Promise<ShownRecoveryCodes> {
  const { id: keepSession } = requireSession(caller)
  requireRecentPassword(context, caller)
  if (!isTotpSecret(secret))
    throw new AppError('invalid_code', 'that is no secret that was made here; begin the second factor anew')
  const step = totpStep(code, { secret, now: context.now() })
  if (step === undefined)
    throw new AppError(
      'invalid_code',
      'the code is wrong; type the one that the app shows, and see to its clock',
    )
  const { codes, hashes } = createRecoveryCodes()
  await context.accounts.enableTotp(
    {
      account: caller.account.id,
      secret: Buffer.from(secret),
      step,
      recoveryHashes: hashes,
      keepSession,
    },
    actorOf(caller),
  )
  tellAccount(context, caller.account, { notice: 'totp-on', caller })
  return { recoveryCodes: codes }
}
