import type { ProvenIdentity, ProviderAnswer, ProviderProfile } from '../credentials/identity-provider.ts'
import { decodePending, type PendingSignIn } from '../credentials/pending-sign-in.ts'
import { providerRefused } from '../credentials/provider-failures.ts'
import { accountNameProblem, emailProblem } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord, NewAccount } from '../storage/account-records.ts'
import { beginSession, type SignedIn } from './begin-session.ts'
import type { AccountsContext } from './context.ts'
import { endedLink, findOpenLink } from './find-open-link.ts'
import { requireIdentityProvider } from './require-identity-provider.ts'

export interface FinishProviderSignInInput {
  readonly answer: ProviderAnswer
  /** What the browser kept meanwhile. */
  readonly pending: string | undefined
  /** Where the request comes from. */
  readonly address: string
  readonly userAgent: string
}

export type ProviderSignedIn = SignedIn & Pick<PendingSignIn, 'purpose' | 'to'>

/**
 * Begins a session of the account that is connected with whoever signed in at the OpenID provider, or makes one: by a link
 * that was given when it began, or where everybody may whom the provider lets in. The provider answers for all factors.
 * @throws AppError `unknown_path`, `provider_refused`, `provider_unavailable`, `identity_unknown`, `account_exists`,
 * `identity_taken`, `invalid_link`, `invalid_account`, `too_many_accounts`, `too_many_failures`, `overloaded`
 */
export async function finishProviderSignIn(
  context: AccountsContext,
  { answer, pending: kept, address, userAgent }: FinishProviderSignInInput,
): Promise<ProviderSignedIn> {
  const provider = requireIdentityProvider(context)
  const pending = decodePending(kept)
  if (pending?.purpose !== 'sign-in' && pending?.purpose !== 'link') throw providerRefused()
  const proven = await attempted(context, address, () =>
    provider.finish(answer, { checks: pending, isConfirming: false, address }),
  )
  const { purpose, secret = '', to } = pending
  const known = purpose === 'link' ? undefined : await context.accounts.findIdentity(proven)
  const made = { proven, address }
  const account =
    known ?? (await (purpose === 'link' ? useLink(context, { ...made, secret }) : signUp(context, made)))
  const { issuer, subject, authenticatedAt } = proven
  const found = {
    ...{ account, identity: { issuer, subject } },
    ...(authenticatedAt !== undefined && { authenticatedAt }),
  }
  const begun = await beginSession(context, found, {
    address,
    userAgent,
    way: known === undefined ? 'sign-up' : 'oidc',
  })
  return { ...begun, purpose, to }
}

/**
 * Counts a try, which stays a failure of its network where its answer was wrong: a provider that is away must not keep out
 * who has a password.
 * @throws AppError
 */
async function attempted<Result>(
  { signInLimits }: Pick<AccountsContext, 'signInLimits'>,
  address: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // Whose account it is for is not known yet.
  const attempt = { address, account: '', isKnownAddress: true }
  const retryAfterSeconds = signInLimits.begin(attempt)
  if (retryAfterSeconds !== undefined)
    throw new AppError('too_many_failures', `too many failed sign-ins; wait ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    })
  try {
    const result = await work()
    signInLimits.takeBack(attempt)
    return result
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'provider_refused')) signInLimits.takeBack(attempt)
    throw error
  }
}

interface Newcomer {
  readonly proven: ProvenIdentity
  readonly address: string
}

/** @throws AppError `identity_unknown`, `account_exists`, `invalid_account` */
async function signUp(context: AccountsContext, { proven, address }: Newcomer): Promise<AccountRecord> {
  const { accounts } = context
  const { name, isSignupOpen } = requireIdentityProvider(context)
  if (!isSignupOpen)
    throw new AppError(
      'identity_unknown',
      `no account here is connected with that one of ${name}: sign in another way and connect them on the page ` +
        'of your account, or ask an operator for an invitation',
    )
  const profile = await proven.profile()
  const account = accountOf(proven, profile)
  if (profile.isEmailVerified !== true)
    throw new AppError(
      'invalid_account',
      profile.isEmailVerified === undefined
        ? `${name} doesn't say whether ${profile.email} is yours: ask an operator for an invitation`
        : `${name} doesn't know yet that ${profile.email} is yours; confirm it there`,
    )
  return accounts.signUp({ account, address }).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'account_exists')) throw error
    throw new AppError(
      'account_exists',
      `there is an account with the e-mail address ${profile.email} already: sign in to it another way, and connect ` +
        `it with ${name} on the page of the account`,
    )
  })
}

/** @throws AppError `invalid_link`, `identity_taken`, `account_exists`, `invalid_account` */
async function useLink(
  context: AccountsContext,
  { proven, address, secret }: Newcomer & { secret: string },
): Promise<AccountRecord> {
  const link = await findOpenLink(context, secret)
  if (link.purpose === 'reset') throw endedLink()
  const profile = await proven.profile()
  // Whoever has the link may make the account of that address, whatever theirs is at the provider.
  const email = (link.purpose === 'invite' ? link.email : null) ?? profile.email
  const account = accountOf(proven, { ...profile, email })
  return context.accounts.useLinkForAccount({ hash: link.hash, account, address })
}

/** One that is signed in to by the provider alone. @throws AppError `invalid_account` */
function accountOf(
  { issuer, subject }: ProvenIdentity,
  { email = '', name }: Pick<ProviderProfile, 'email' | 'name'>,
): NewAccount {
  if (emailProblem(email) !== undefined)
    throw new AppError(
      'invalid_account',
      'the provider tells no e-mail address, which an account has: allow it there, or make the account with a password',
    )
  const isName = name !== undefined && accountNameProblem(name) === undefined
  return {
    ...{ email, name: isName ? name : email.slice(0, EMAIL_AS_NAME), password: '' },
    identity: { issuer, subject, email },
  }
}

/** Units of an e-mail address that are a name where there is no other. */
const EMAIL_AS_NAME = 120
