import { encodePending } from '../credentials/pending-sign-in.ts'
import { requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { BegunProviderSignIn } from './begin-provider-sign-in.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { requireIdentityProvider } from './require-identity-provider.ts'

export interface ProviderConnectionInput {
  /** To sign in by the provider from then on, or to show anew that one is who is signed in. */
  readonly purpose: 'connect' | 'confirm'
  /** Where to go on: a path below that of the dashboard. */
  readonly to?: string | undefined
}

/**
 * Begins what whoever is signed in does at the OpenID provider.
 * @throws AppError `permission_denied` to a token, `password_required` to connect, `unknown_path`, `provider_unavailable`
 */
export async function beginProviderConnection(
  context: AccountsContext,
  caller: AccountCaller,
  { purpose, to }: ProviderConnectionInput,
): Promise<BegunProviderSignIn> {
  requireSession(caller)
  if (purpose === 'connect') requireRecentPassword(context, caller)
  const { location, checks } = await requireIdentityProvider(context).begin({
    isConfirming: purpose === 'confirm',
  })
  return { location, pending: encodePending({ ...checks, purpose, to, account: caller.account.id }) }
}
