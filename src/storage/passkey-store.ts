import type {
  AccountRecord,
  NewPasskey,
  OpenWaysIn,
  PasskeyRecord,
  PasskeyUse,
  StoredPasskey,
} from './account-records.ts'
import type { Actor, KeepsSession } from './account-store.ts'

/** Passkeys of accounts. */
export interface PasskeyStore {
  /** The oldest first. */
  listPasskeys(account: string): Promise<PasskeyRecord[]>
  findPasskey(id: string): Promise<{ passkey: StoredPasskey; account: AccountRecord } | undefined>
  /** @throws AppError `account_not_found`, `passkey_exists`, `too_many_passkeys` */
  createPasskey(passkey: NewPasskey, actor: Actor): Promise<PasskeyRecord>
  /** @throws AppError `invalid_credentials` where the account has it no more, or its count is not above the last one */
  usePasskey(use: PasskeyUse & { account: string }): Promise<void>
  /** @throws AppError `passkey_not_found` */
  renamePasskey(change: { account: string; id: string; name: string }, actor: Actor): Promise<PasskeyRecord>
  /** Ends sessions of the account, too. @throws AppError `passkey_not_found`, `last_way_in` */
  deletePasskey(
    passkey: { account: string; id: string; open: OpenWaysIn } & KeepsSession,
    actor: Actor,
  ): Promise<void>
}
