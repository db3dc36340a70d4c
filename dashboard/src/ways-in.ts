/** How one gets into this server. */
export interface WaysIn {
  readonly passkeys: boolean
  readonly signup: boolean
}

/** By what an account shows who it is. */
export interface AccountWaysIn {
  readonly password: boolean
  readonly passkeys: boolean
  readonly oidc: boolean
}
