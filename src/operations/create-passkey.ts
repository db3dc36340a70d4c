import type { Registration } from '../credentials/passkeys.ts'
import { accountNameProblem } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { PasskeyRecord } from '../storage/account-records.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { requirePasskeys, wrongPasskey } from './require-passkeys.ts'
import { tellAccount } from './tell-account.ts'

export interface CreatePasskeyInput extends Registration {
  /** As its owner calls it. */
  readonly name: string
}

/**
 * Keeps a passkey that an authenticator made for the account.
 * @throws AppError `permission_denied` to a token, `password_required`, `invalid_passkey`, `passkey_exists`,
 * `too_many_passkeys`
 */
export async function createPasskey(
  context: AccountsContext,
  caller: AccountCaller,
  { name, ...registration }: CreatePasskeyInput,
): Promise<PasskeyRecord> {
  requireSession(caller)
  requireRecentPassword(context, caller)
  refuseName(name)
  const { id: account } = caller.account
  const made = await requirePasskeys(context).verifyNew(registration, account)
  if (made === undefined) throw wrongPasskey()
  const passkey = await context.accounts.createPasskey({ ...made, account, name }, actorOf(caller))
  tellAccount(context, caller.account, { notice: 'passkey', caller })
  return passkey
}

/** @throws AppError `invalid_passkey` */
export function refuseName(name: string): void {
  const problem = accountNameProblem(name)
  if (problem !== undefined) throw new AppError('invalid_passkey', problem)
}
