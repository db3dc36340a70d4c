import { generateTotpSecret, totpUri } from '../credentials/totp.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface OfferedTotp {
  /** In base32, to be typed where no picture can be taken. */
  readonly secret: string
  /** What a QR code has in it. */
  readonly uri: string
}

/**
 * A secret for an app that makes codes. It is kept nowhere until `enableTotp` is given it, with a code that shows that the
 * app has it.
 * @throws AppError `permission_denied` to a token
 */
export async function beginTotp(
  { origin }: Pick<AccountsContext, 'origin'>,
  caller: AccountCaller,
): Promise<OfferedTotp> {
  requireSession(caller)
  const secret = generateTotpSecret()
  const issuer = `Sheaf ${new URL(origin).host}`
  return { secret, uri: totpUri({ secret, issuer, account: caller.account.email }) }
}
