import type { Passkeys } from '../credentials/passkeys.ts'
import { AppError } from '../errors.ts'
import type { AccountsContext } from './context.ts'

/** @throws AppError `invalid_passkey` where this server has none */
export function requirePasskeys({ passkeys }: Pick<AccountsContext, 'passkeys'>): Passkeys {
  if (passkeys === undefined)
    throw new AppError('invalid_passkey', 'there are no passkeys at an IP address; give the server a name')
  return passkeys
}

/** The same words whatever is wrong with it. */
export function wrongPasskey(): AppError {
  return new AppError(
    'invalid_passkey',
    'that is no passkey that was asked for here in the last five minutes; try again',
  )
}
