import { encodePending } from '../credentials/pending-sign-in.ts'
import type { AccountsContext } from './context.ts'
import { endedLink, findOpenLink } from './find-open-link.ts'
import { requireIdentityProvider } from './require-identity-provider.ts'

export interface ProviderSignInInput {
  /** What stands behind `#` in the link of which an account is to be made. */
  readonly secret?: string | undefined
  /** Where to go on: a path below that of the dashboard. */
  readonly to?: string | undefined
}

/** A sign-in for which a browser goes to the OpenID provider. */
export interface BegunProviderSignIn {
  readonly location: string
  /** What the browser keeps until it is back, in a form that a cookie can hold. */
  readonly pending: string
}

/**
 * Begins to sign in by the OpenID provider: to an account that is connected with it, or to one that a link makes.
 * @throws AppError `unknown_path`, `invalid_link`, `provider_unavailable`
 */
export async function beginProviderSignIn(
  context: AccountsContext,
  { secret, to }: ProviderSignInInput,
): Promise<BegunProviderSignIn> {
  const provider = requireIdentityProvider(context)
  // Before somebody is sent away for nothing.
  if (secret !== undefined && (await findOpenLink(context, secret)).purpose === 'reset') throw endedLink()
  const { location, checks } = await provider.begin({ isConfirming: false })
  const purpose = secret === undefined ? 'sign-in' : 'link'
  return { location, pending: encodePending({ ...checks, purpose, secret, to }) }
}
