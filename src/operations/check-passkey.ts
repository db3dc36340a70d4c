import type { Challenged } from '../credentials/challenges.ts'
import type { Assertion } from '../credentials/passkeys.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord, PasskeyUse } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'
import { requirePasskeys } from './require-passkeys.ts'

export interface CheckedPasskey {
  readonly account: AccountRecord
  readonly passkey: PasskeyUse
}

/**
 * Whose passkey that is; it is not noted as used yet. What is wrong counts as a failure of its network, and of no account: it
 * can't be found by trying.
 * @throws AppError `invalid_credentials`, `too_many_failures` with the seconds to wait, `invalid_passkey` where there are
 * none
 */
export async function checkPasskey(
  context: Pick<AccountsContext, 'accounts' | 'passkeys' | 'signInLimits'>,
  assertion: Assertion,
  { address, ...challenged }: Challenged & { readonly address: string },
): Promise<CheckedPasskey> {
  const passkeys = requirePasskeys(context)
  const attempt = { address, account: '', isKnownAddress: true }
  const retryAfterSeconds = context.signInLimits.begin(attempt)
  if (retryAfterSeconds !== undefined)
    throw new AppError('too_many_failures', `too many failed sign-ins; wait ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    })
  const found = await context.accounts.findPasskey(assertion.id)
  const passkey = found && (await passkeys.verify(assertion, { passkey: found.passkey, challenged }))
  if (passkey === undefined)
    throw new AppError(
      'invalid_credentials',
      'no account has this passkey, or what was asked of it was asked too long ago; try again',
    )
  context.signInLimits.takeBack(attempt)
  return { account: found!.account, passkey }
}
