import type { AccountIdentity, AccountRecord, Identity, NewIdentity, OpenWaysIn } from './account-records.ts'
import type { Actor } from './account-store.ts'

/** Who accounts are at OpenID providers. */
export interface IdentityStore {
  /** Whose account an identity is bound to. */
  findIdentity(identity: Identity): Promise<AccountRecord | undefined>
  /** Those that are bound to an account, in the order in which they were. */
  listIdentities(account: string): Promise<AccountIdentity[]>
  /**
   * Binds an identity to an account; nothing is done where it was bound to it before.
   * @throws AppError `account_not_found`, `identity_taken`, `too_many_identities`
   */
  connectIdentity(
    connection: { account: string; identity: NewIdentity },
    actor: Actor,
  ): Promise<AccountIdentity>
  /** Ends every session of the account but one. @throws AppError `identity_not_found`, `last_way_in` */
  disconnectIdentity(
    which: { account: string; id: string; keepSession?: string; open: OpenWaysIn },
    actor: Actor,
  ): Promise<void>
}
