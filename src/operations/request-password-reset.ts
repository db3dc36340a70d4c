import { setTimeout } from 'node:timers/promises'
import { generateLink } from '../credentials/account-link.ts'
import { emailProblem } from '../domain/accounts.ts'
import type { Mail } from '../domain/mail.ts'
import { AppError } from '../errors.ts'
import { resetMail } from '../mail/mail-texts.ts'
import type { AccountsContext } from './context.ts'
import { requireMail } from './require-mail.ts'

/** A link that goes by mail is read soon, or never. */
const MAILED_RESET_MS = 60 * 60 * 1000
/** By then the request is answered, which waits for what is written to `control.sqlite` meanwhile. */
const ANSWERED_MS = 250

export interface PasswordResetRequest {
  readonly email: string
  /** Where the request comes from. */
  readonly address: string
}

/**
 * Has a link by which an account gets another password sent to its e-mail address, good for an hour and once. Everything is
 * done behind the answer, so that neither that nor its time says whether there is such an account.
 * @throws AppError `mail_off`, `too_many_failures` where a network asks too often
 */
export async function requestPasswordReset(
  context: AccountsContext,
  { email, address }: PasswordResetRequest,
): Promise<void> {
  const mail = requireMail(context)
  const retryAfterSeconds = context.limitResets(address)
  if (retryAfterSeconds !== undefined)
    throw new AppError(
      'too_many_failures',
      `too many links were asked for; wait ${retryAfterSeconds} seconds`,
      {
        retryAfterSeconds,
      },
    )
  if (emailProblem(email) !== undefined) return
  mail.later({ about: 'another password', compose: () => composeReset(context, { email, address }) })
}

/** Nothing where there is no such account, and where it was sent enough already. */
async function composeReset(
  context: AccountsContext,
  { email, address }: PasswordResetRequest,
): Promise<Mail | undefined> {
  await setTimeout(ANSWERED_MS)
  const { accounts } = context
  const { mayReset, origin } = requireMail(context)
  const account = await accounts.findAccount({ email })
  if (account === undefined || !mayReset(account.id)) return undefined
  const { hash, link, until } = generateLink('reset', context, MAILED_RESET_MS)
  const target = { purpose: 'reset', account: account.id, mailedTo: account.email } as const
  // It is a line of the account, which was not signed in to.
  const actor = { account: account.id, name: 'anybody', address }
  await accounts.createLink({ ...target, hash, until }, actor)
  return resetMail({ to: account.email, origin, link, until, address })
}
