import { hashRecoveryCode } from '../credentials/recovery-codes.ts'
import type { SignInAttempt } from '../credentials/sign-in-limits.ts'
import { totpStep } from '../credentials/totp.ts'
import { networkOf } from '../domain/network.ts'
import { AppError } from '../errors.ts'
import type { AccountCredentials } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

export interface GivenCredentials {
  /** The e-mail address in the form in which it is looked for, whether there is such an account or not. */
  readonly email: string
  readonly password: string
  /** Of the second factor, or a recovery code. */
  readonly code?: string | undefined
  /** Where the request comes from. */
  readonly address: string
}

type Checking = Pick<AccountsContext, 'accounts' | 'passwords' | 'signInLimits' | 'now'>

/**
 * Whose password that is, and whose code where the account has a second factor. An address without an account takes as
 * long as a wrong password, and hears the same. Password and code are limited each by itself, so that who has the one can
 * try the other no more often.
 * @throws AppError `invalid_credentials`, `code_required` where the account has a second factor and no code was given,
 * `too_many_failures` with the seconds to wait, `overloaded`
 */
export async function checkCredentials(
  context: Checking,
  { email, password, code, address }: GivenCredentials,
): Promise<AccountCredentials> {
  const { accounts, passwords } = context
  const credentials = await accounts.findCredentials({ email })
  const isKnownAddress =
    credentials !== undefined &&
    (await accounts.isKnownAddress({ account: credentials.account.id, address: networkOf(address) }))
  const attempt = { address, account: email, isKnownAddress }
  await attempted(context, attempt, () => passwords.verify(password, credentials?.password, address))
  if (credentials === undefined) throw wrongCredentials()
  if (credentials.totp === undefined) return credentials
  if (code === undefined || code === '')
    throw new AppError('code_required', 'this account has a second factor: send its code, or a recovery code')
  await attempted(context, { ...attempt, isCode: true }, () => useCode(context, credentials, code))
  return credentials
}

/** Counts a try, which stays a failure where it was wrong. @throws AppError */
async function attempted(
  { signInLimits }: Checking,
  attempt: SignInAttempt,
  isRight: () => Promise<boolean>,
): Promise<void> {
  const waitSeconds = signInLimits.begin(attempt)
  if (waitSeconds !== undefined) throw tooManyFailures(waitSeconds)
  const hasSucceeded = await isRight().catch((error: unknown) => {
    // It was not looked at.
    signInLimits.takeBack(attempt)
    throw error
  })
  if (!hasSucceeded) throw wrongCredentials()
  signInLimits.takeBack(attempt)
}

/** Whether the code is right, and was not used before; it is used by that. */
async function useCode(
  { accounts, now }: Checking,
  { account, totp }: AccountCredentials,
  code: string,
): Promise<boolean> {
  const step = totp && totpStep(code, { secret: Buffer.from(totp.secret).toString(), now: now() })
  if (step !== undefined) return accounts.useTotpStep({ account: account.id, step })
  const hash = hashRecoveryCode(code)
  return hash !== undefined && accounts.useRecoveryCode({ account: account.id, hash })
}

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
