import type { OpenWaysIn } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

/** How one gets into this server, for whoever is about to. */
export interface DescribedWaysIn {
  readonly password: true
  readonly passkeys: boolean
  /** The provider that answers for people, as a button calls it. */
  readonly oidc: { readonly name: string } | null
  /** Whether a forgotten password is replaced by mail. */
  readonly mail: boolean
  /** Whether anybody may make an account. */
  readonly signup: boolean
}

/** The same to everybody: it says nothing of any account. */
export async function describeWaysIn({
  passkeys,
  isSignupOpen,
  identityProvider,
  mail,
}: Pick<
  AccountsContext,
  'passkeys' | 'isSignupOpen' | 'identityProvider' | 'mail'
>): Promise<DescribedWaysIn> {
  const oidc = identityProvider === undefined ? null : { name: identityProvider.name }
  return {
    ...{ password: true, passkeys: passkeys !== undefined, oidc },
    ...{ mail: mail !== undefined, signup: isSignupOpen },
  }
}

/** Which ways in count for an account: what isn't open lets nobody in. */
export function openWaysIn({
  passkeys,
  identityProvider,
}: Pick<AccountsContext, 'passkeys' | 'identityProvider'>): OpenWaysIn {
  return { passkeyHost: passkeys?.host ?? null, issuer: identityProvider?.issuer ?? null }
}
