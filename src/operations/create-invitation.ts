import { type AccountLink, generateLink } from '../credentials/account-link.ts'
import { emailProblem } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import { invitationMail } from '../mail/mail-texts.ts'
import { actorOf, requireOperator, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { requireFirstOperator } from './require-first-operator.ts'
import { requireMail } from './require-mail.ts'

export interface InvitationInput {
  /** The one address that it is good for; without one, any. */
  readonly email?: string | undefined
  /** Whether the account becomes an operator's. No token makes one. */
  readonly isOperator?: boolean | undefined
  /** Whether it is sent to that address, too. */
  readonly send?: boolean | undefined
}

/**
 * A link by which somebody else makes an account, good for seven days and once.
 * @throws AppError `permission_denied`, `password_required` for an operator, `invalid_account`, `account_exists`,
 * `too_many_links`, `mail_off`
 */
export async function createInvitation(
  context: Pick<AccountsContext, 'accounts' | 'origin' | 'now' | 'mail'>,
  caller: Caller,
  { email, isOperator = false, send = false }: InvitationInput,
): Promise<AccountLink> {
  requireOperator(caller)
  if (isOperator && caller.kind === 'account') requireSession(caller)
  if (isOperator) requireRecentPassword(context, caller)
  if (email !== undefined) await refuseUnusableEmail(context, email)
  await requireFirstOperator(context, { isOperator })
  const to = send ? addressee(email) : undefined
  const mail = send ? requireMail(context) : undefined
  const { hash, link, until } = generateLink('invite', context)
  const invitation = { purpose: 'invite', email: email ?? null, isOperator, hash, until } as const
  await context.accounts.createLink(invitation, actorOf(caller))
  if (to !== undefined)
    mail?.later({
      about: 'an invitation',
      compose: async () => invitationMail({ to, origin: context.origin, link, until }),
    })
  return { link, until }
}

/** @throws AppError `invalid_account` */
function addressee(email: string | undefined): string {
  if (email !== undefined) return email
  throw new AppError('invalid_account', 'an invitation that is sent needs an email to send it to')
}

/** @throws AppError `invalid_account`, `account_exists` */
async function refuseUnusableEmail(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  email: string,
): Promise<void> {
  const problem = emailProblem(email)
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  if ((await accounts.findAccount({ email })) !== undefined)
    throw new AppError('account_exists', 'there is an account with this e-mail address already')
}
