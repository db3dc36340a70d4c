import type { AppRecord } from './store.ts'

/*
 * What the store keeps of accounts. Times are milliseconds since the Unix epoch; a `hash` is the SHA-256 of a secret in
 * hexadecimal, for secrets are stored nowhere.
 */

export interface AccountRecord {
  /** A ULID. */
  readonly id: string
  /** As it was written; no other account has it in another letter case. */
  readonly email: string
  readonly name: string
  /** Whether it may see the server itself, and owns what the command line makes. */
  readonly isOperator: boolean
  readonly hasTotp: boolean
  readonly createdAt: number
}

export interface AccountFilter {
  /** All of them without it. */
  readonly limit?: number | undefined
  /** An e-mail: only what comes behind it. */
  readonly after?: string | undefined
  /** A text that stands in the e-mail. */
  readonly email?: string | undefined
}

/** What an account can sign in by. */
export interface WaysIn {
  readonly password: boolean
  readonly passkeys: boolean
  readonly oidc: boolean
}

/** Which ways in are open on this server beside passwords. */
export interface OpenWaysIn {
  /** Where browsers find the passkeys that count; null where they have none. */
  readonly passkeyHost: string | null
  /** The provider of OpenID Connect whose word counts. */
  readonly issuer: string | null
}

/** What a sign-in is checked by. */
export interface AccountCredentials {
  readonly account: AccountRecord
  /** As PHC text; empty where it has none, which no password matches. */
  readonly password: string
  /** Undefined where there is no second factor. */
  readonly totp: TotpState | undefined
  /** How many were not used yet. */
  readonly recoveryCodes: number
}

export interface TotpState {
  readonly secret: Uint8Array
  /** The newest time step (RFC 6238) whose code was used; a code is good once. */
  readonly lastStep: number
}

export interface NewAccount {
  readonly email: string
  readonly name: string
  /** As PHC text; empty where it is signed in to by other ways alone. */
  readonly password: string
  /** What it is signed in to by. */
  readonly identity?: NewIdentity
}

export interface AccountChange {
  /** Nothing is changed where these were changed meanwhile. */
  readonly checked?: CheckedCredentials
  readonly email?: string
  readonly name?: string
  readonly password?: string
  readonly isOperator?: boolean
}

export interface SessionRecord {
  readonly id: string
  readonly account: string
  readonly createdAt: number
  readonly seenAt: number
  /** When the password was given last. */
  readonly authenticatedAt: number
  readonly address: string
  readonly userAgent: string
}

/** What an account was signed in to by; `sign-up` where it was made by that. */
export type SignInWay = 'password' | 'passkey' | 'oidc' | 'sign-up'

export interface NewSession {
  readonly account: string
  readonly way: SignInWay
  /** There is no session where these were changed meanwhile, for that change has ended all that there were. */
  readonly checked?: CheckedCredentials
  /** That it was begun by, which is noted with it. */
  readonly passkey?: PasskeyUse
  /** The same where this one is not the account's any more. */
  readonly identity?: Identity
  /** When whoever signs in was last seen to be the one; now where it is left out. */
  readonly authenticatedAt?: number
  readonly hash: string
  readonly address: string
  readonly userAgent: string
}

/** What an account was found to be signed in to by. */
export type CheckedCredentials = Pick<AccountCredentials, 'password' | 'totp'>

/** Who somebody is at an OpenID provider. Only both together tell one from all others (OpenID Connect Core, section 5.7). */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

export interface NewIdentity extends Identity {
  /** As the provider told it then, to be shown alone; empty where it told none. */
  readonly email: string
}

/** An identity that is bound to an account. */
export interface AccountIdentity extends NewIdentity {
  /** Made of issuer and subject. */
  readonly id: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** What an authenticator signs in to an account by (Web Authentication). */
export interface PasskeyRecord {
  /** As the authenticator made it, in base64url. */
  readonly id: string
  readonly account: string
  /** Of the server, as it was then: browsers offer it nowhere else. */
  readonly host: string
  readonly name: string
  /** How a browser reaches the authenticator, as far as it said. */
  readonly transports: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** What a sign-in by it is checked by. */
export interface StoredPasskey extends PasskeyRecord {
  /** As COSE_Key (RFC 9052). */
  readonly publicKey: Uint8Array
  /** As the authenticator counted last; 0 for ever where it doesn't count. */
  readonly uses: number
}

export type NewPasskey = Omit<StoredPasskey, 'createdAt' | 'lastUsedAt'>

/** A use that was found to be good, with the count of the authenticator. */
export type PasskeyUse = Pick<StoredPasskey, 'id' | 'uses'>

/** A bearer token of an account. */
export interface AccountToken {
  readonly id: string
  readonly account: string
  readonly name: string
  /** What it may do; none where that can't be read. */
  readonly permissions: readonly string[]
  readonly expiresAt: number
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export interface NewAccountToken {
  readonly account: string
  readonly name: string
  readonly hash: string
  readonly permissions: readonly string[]
  readonly expiresAt: number
}

/** What a link lets one do, once, until its time. */
export type LinkTarget =
  /** Make the first account. */
  | { readonly purpose: 'setup' }
  /** Make one more; with an address only for that one. */
  | { readonly purpose: 'invite'; readonly email: string | null; readonly isOperator: boolean }
  /** Give an account another password. One that anybody may ask for is mailed to its address alone. */
  | { readonly purpose: 'reset'; readonly account: string; readonly mailedTo?: string }

export type Link = LinkTarget & { readonly hash: string; readonly until: number }

export type ShareRole = 'editor' | 'viewer'

/** An app as one account has it. */
export interface AccountApp {
  readonly app: AppRecord
  /** An operator is the owner of apps without one. */
  readonly role: 'owner' | ShareRole
}

/** An app that was deleted, and can be restored. */
export interface DeletedApp extends AppRecord {
  readonly deletedAt: number
  /** Then its documents are removed. */
  readonly restorableUntil: number
}

export interface AppShare {
  readonly account: AccountRecord
  readonly role: ShareRole
}
