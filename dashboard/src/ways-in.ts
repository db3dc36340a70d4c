import { askApi } from './api.ts'
import { useRead } from './use-read.ts'

/** How one gets into this server. */
export interface WaysIn {
  readonly passkeys: boolean
  /** The OpenID provider, as a button calls it. */
  readonly oidc: { readonly name: string } | null
  /** Whether a forgotten password is replaced by mail. */
  readonly mail: boolean
  readonly signup: boolean
}

/** By what an account shows who it is. */
export interface AccountWaysIn {
  readonly password: boolean
  readonly passkeys: boolean
  readonly oidc: boolean
}

/** For pages without a session. What can't be read of them is missed by nobody with a password. */
export function useWaysIn(): WaysIn | undefined {
  return useRead('ways-in', (signal) => askApi<WaysIn>('/ways-in', { signal })).data
}
