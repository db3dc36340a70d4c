import { needsRehash } from '../credentials/password.ts'
import { hashRecoveryCode } from '../credentials/recovery-codes.ts'
import { generateSecret, hashSecret } from '../credentials/secret.ts'
import type { SignInAttempt } from '../credentials/sign-in-limits.ts'
import { totpStep } from '../credentials/totp.ts'
import { EMAIL_LENGTH, foldEmail } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountCredentials, AccountRecord, SessionRecord } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

export interface SignInInput {
  readonly email: string
  readonly password: string
  /** Of the second factor, or a recovery code. */
  readonly code?: string | undefined
  /** Where the request comes from. */
  readonly address: string
  readonly userAgent: string
}

export interface SignedIn {
  /** What the browser keeps; it is nowhere else. */
  readonly secret: string
  readonly session: SessionRecord
  readonly account: AccountRecord
}

/**
 * Begins a session of an account. An address without an account takes as long as a wrong password, and hears the same.
 * @throws AppError `invalid_credentials`, `code_required` where the account has a second factor and no code was given,
 * `too_many_failures` with the seconds to wait, `overloaded`
 */
export async function signIn(context: AccountsContext, input: SignInInput): Promise<SignedIn> {
  const { accounts, signInLimits } = context
  const email = input.email.length > EMAIL_LENGTH ? '' : foldEmail(input.email)
  const credentials = await accounts.findCredentials({ email })
  const isKnownAddress =
    credentials !== undefined &&
    (await accounts.isKnownAddress({ account: credentials.account.id, address: input.address }))
  const attempt = { address: input.address, account: email, isKnownAddress }
  const waitSeconds = signInLimits.begin(attempt)
  if (waitSeconds !== undefined) throw tooManyFailures(waitSeconds)
  const known = await checkedCredentials(context, { input, credentials, attempt })
  signInLimits.takeBack(attempt)
  return beginSession(context, input, known)
}

/** @throws AppError as `signIn` does */
async function checkedCredentials(
  { accounts, passwords, signInLimits, now }: AccountsContext,
  {
    input: { password, code },
    credentials,
    attempt,
  }: { input: SignInInput; credentials: AccountCredentials | undefined; attempt: SignInAttempt },
): Promise<AccountCredentials> {
  const isRight = await passwords.verify(password, credentials?.password).catch((error: unknown) => {
    signInLimits.takeBack(attempt)
    throw error
  })
  if (!isRight || credentials === undefined) throw wrongCredentials()
  const { account, totp } = credentials
  if (totp === undefined) return credentials
  if (code === undefined || code === '') {
    // Not wrong yet: whoever has the right password is asked for the code.
    signInLimits.takeBack(attempt)
    throw new AppError('code_required', 'this account has a second factor: send its code, or a recovery code')
  }
  const step = totpStep(code, { secret: Buffer.from(totp.secret).toString(), now: now() })
  if (step !== undefined) {
    if (await accounts.useTotpStep({ account: account.id, step })) return credentials
    throw wrongCredentials()
  }
  const hash = hashRecoveryCode(code)
  if (hash !== undefined && (await accounts.useRecoveryCode({ account: account.id, hash })))
    return credentials
  throw wrongCredentials()
}

async function beginSession(
  { accounts, passwords }: AccountsContext,
  { password, address, userAgent }: SignInInput,
  { account, password: kept }: AccountCredentials,
): Promise<SignedIn> {
  if (needsRehash(kept))
    await accounts.rehashPassword({ id: account.id, from: kept, to: await passwords.hash(password) })
  const secret = generateSecret()
  const session = await accounts.createSession({
    account: account.id,
    hash: hashSecret(secret),
    address,
    userAgent: userAgent.slice(0, USER_AGENT_LENGTH),
  })
  await accounts.noteAddress({ account: account.id, address })
  return { secret, session, account }
}

/** Units of what a browser says of itself that are kept for the list of sessions. */
const USER_AGENT_LENGTH = 200

function wrongCredentials(): AppError {
  return new AppError(
    'invalid_credentials',
    'the e-mail address, the password or the code is wrong; a code is good once',
  )
}

function tooManyFailures(retryAfterSeconds: number): AppError {
  return new AppError('too_many_failures', `too many failed sign-ins; wait ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  })
}
