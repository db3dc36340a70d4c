import type { ProviderAnswer } from '../credentials/identity-provider.ts'
import { decodePending, type PendingSignIn } from '../credentials/pending-sign-in.ts'
import { providerRefused } from '../credentials/provider-failures.ts'
import { emailProblem } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { requireIdentityProvider } from './require-identity-provider.ts'
import { tellAccount } from './tell-account.ts'

export interface FinishProviderConnectionInput {
  readonly answer: ProviderAnswer
  /** What the browser kept meanwhile. */
  readonly pending: string | undefined
}

export type ProviderConnected = Pick<PendingSignIn, 'purpose' | 'to'>

/**
 * Connects the account with whoever signed in at the OpenID provider, or takes that for its password given again. What is
 * connected with it already stays so, and nobody is told.
 * @throws AppError `permission_denied` to a token, `unknown_path`, `provider_refused`, `provider_unavailable`,
 * `password_required` and `identity_taken` and `too_many_identities` to connect, `wrong_password` where it is somebody else
 */
export async function finishProviderConnection(
  context: AccountsContext,
  caller: AccountCaller,
  { answer, pending: kept }: FinishProviderConnectionInput,
): Promise<ProviderConnected> {
  const session = requireSession(caller)
  const provider = requireIdentityProvider(context)
  const pending = decodePending(kept)
  const { id, email: own } = caller.account
  // Somebody else may have signed in here meanwhile.
  if (pending?.account !== id) throw providerRefused()
  const { purpose, to } = pending
  if (purpose !== 'connect' && purpose !== 'confirm') throw providerRefused()
  if (purpose === 'connect') requireRecentPassword(context, caller)
  const isConfirming = purpose === 'confirm'
  const proven = await provider.finish(answer, { checks: pending, isConfirming, address: caller.address })
  const isOwn = (await context.accounts.findIdentity(proven))?.id === id
  if (isConfirming) {
    if (!isOwn)
      throw new AppError(
        'wrong_password',
        `${own} is not connected with the one who signed in at ${provider.name}`,
      )
    await context.accounts.touchSession({ id: session.id, isAuthenticated: true })
  } else if (!isOwn) {
    const { email = '' } = await proven.profile()
    const { issuer, subject } = proven
    const identity = { issuer, subject, email: emailProblem(email) === undefined ? email : '' }
    await context.accounts.connectIdentity({ account: id, identity }, actorOf(caller))
    tellAccount(context, caller.account, { notice: 'identity', caller })
  }
  return { purpose, to }
}
