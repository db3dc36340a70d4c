import { passwordProblem } from '../credentials/password-rules.ts'
import { accountNameProblem, emailProblem, foldEmail } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord, CheckedCredentials, Link } from '../storage/account-records.ts'
import { beginSession, type SignedIn } from './begin-session.ts'
import type { AccountsContext } from './context.ts'
import { endedLink, findOpenLink } from './find-open-link.ts'

export interface SetUpAccountInput {
  /** What stands behind `#` in the link; without one where anybody may make an account. */
  readonly secret?: string | undefined
  readonly email: string
  readonly name: string
  readonly password: string
  /** Where the request comes from. */
  readonly address: string
  readonly userAgent: string
}

/**
 * Makes an account and begins a session of it: the account that a setup link or an invitation is good for, which is used
 * up by that (of two at once one does), or one that anybody may make.
 * @throws AppError `invalid_account`, `invalid_link`, `permission_denied` without a link where that takes one,
 * `account_exists`, `too_many_accounts`, `too_many_failures` without a link, `overloaded`
 */
export async function setUpAccount(context: AccountsContext, input: SetUpAccountInput): Promise<SignedIn> {
  const link = input.secret === undefined ? undefined : await findOpenLink(context, input.secret)
  if (link?.purpose === 'reset') throw endedLink()
  if (link === undefined) await requireOpenSignup(context)
  const problem = problemOf(input) ?? invitationProblem(link, input)
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  if (link === undefined) countSignup(context, input)
  const { address, userAgent } = input
  return beginSession(context, await makeAccount(context, link, input), {
    address,
    userAgent,
    way: 'sign-up',
  })
}

/** @throws AppError `permission_denied` */
async function requireOpenSignup({
  accounts,
  isSignupOpen,
}: Pick<AccountsContext, 'accounts' | 'isSignupOpen'>): Promise<void> {
  if (!isSignupOpen)
    throw new AppError('permission_denied', 'an account here takes an invitation; ask an operator for one')
  if ((await accounts.countAccounts()) === 0)
    throw new AppError('permission_denied', 'the first account takes the setup link that the server shows')
}

function problemOf({ email, name, password }: SetUpAccountInput): string | undefined {
  return emailProblem(email) ?? accountNameProblem(name) ?? passwordProblem(password, { email })
}

function invitationProblem(link: Link | undefined, { email }: SetUpAccountInput): string | undefined {
  if (link?.purpose !== 'invite' || link.email === null) return undefined
  if (foldEmail(link.email) === foldEmail(email)) return undefined
  return `this invitation is for ${link.email}; use that address, or ask for another invitation`
}

/**
 * Each is counted as a failed sign-in of its network, whatever comes of it: it makes an account, or tells that there is one
 * with that address.
 * @throws AppError `too_many_failures`
 */
function countSignup(
  { signInLimits }: Pick<AccountsContext, 'signInLimits'>,
  { address, email }: SetUpAccountInput,
): void {
  const attempt = { address, account: foldEmail(email), isKnownAddress: true }
  const retryAfterSeconds = signInLimits.begin(attempt)
  if (retryAfterSeconds !== undefined)
    throw new AppError('too_many_failures', `too many new accounts; wait ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    })
}

async function makeAccount(
  { accounts, passwords }: Pick<AccountsContext, 'accounts' | 'passwords'>,
  link: Link | undefined,
  { email, name, password, address }: SetUpAccountInput,
): Promise<{ account: AccountRecord; checked: CheckedCredentials }> {
  const made = { email, name, password: await passwords.hash(password, address) }
  const account = await (link === undefined
    ? accounts.signUp({ account: made, address })
    : accounts.useLinkForAccount({ hash: link.hash, account: made, address }))
  return { account, checked: { password: made.password, totp: undefined } }
}
