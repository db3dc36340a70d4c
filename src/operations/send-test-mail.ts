import { testMail } from '../mail/mail-texts.ts'
import { requireOperator, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { requireMail } from './require-mail.ts'

/**
 * Sends a message to the operator who asks, and waits until the mail server has taken it.
 * @returns to which address
 * @throws AppError `permission_denied`, `mail_off`, `mail_failed`, `mail_refused`
 */
export async function sendTestMail(
  context: Pick<AccountsContext, 'mail'>,
  caller: AccountCaller,
): Promise<{ email: string }> {
  requireOperator(caller)
  requireSession(caller)
  const { email } = caller.account
  const { send, origin } = requireMail(context)
  await send(testMail({ to: email, origin }))
  return { email }
}
