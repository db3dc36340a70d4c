import type { IdentityProvider } from '../credentials/identity-provider.ts'
import { AppError } from '../errors.ts'
import type { AccountsContext } from './context.ts'

/** @throws AppError `unknown_path` where none is set up */
export function requireIdentityProvider({
  identityProvider,
}: Pick<AccountsContext, 'identityProvider'>): IdentityProvider {
  if (identityProvider !== undefined) return identityProvider
  throw new AppError('unknown_path', 'no OpenID provider is set up on this server')
}
