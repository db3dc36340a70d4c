import type {
  AppAddress,
  AppSettingsChange,
  ExistingKey,
  KeyRotation,
  KeyUpdate,
  NewApp,
  NewKey,
  RestoredApp,
  RestoredKeys,
  Show,
} from './account-changes.ts'
import type { CollectionNote, IndexNote } from './account-notes.ts'
import type {
  AccountApp,
  AccountChange,
  AccountCredentials,
  AccountFilter,
  AccountRecord,
  AccountToken,
  AppShare,
  DeletedApp,
  Link,
  NewAccount,
  NewAccountToken,
  NewSession,
  SessionRecord,
  ShareRole,
} from './account-records.ts'
import type { AlertStore } from './alert-store.ts'
import type { IdentityStore } from './identity-store.ts'
import type { PasskeyStore } from './passkey-store.ts'
import type { QuotaStore } from './quota-store.ts'
import type { SettingName } from './setting-names.ts'
import type { SiteStore } from './site-store.ts'
import type { AppRecord, Directory, KeyRecord } from './store.ts'
import type { TrafficStore } from './traffic-store.ts'
import type { WaysInStore } from './ways-in-store.ts'

/** Who did something: a name such as `cli:<user of the system>` or `start`, or an account. */
export type Actor = string | AccountActor

export interface AccountActor {
  readonly account: string
  /** Its e-mail, as the audit trail shows it; `anybody` where it was asked for without signing in. */
  readonly name: string
  /** Where the request came from. */
  readonly address: string
  /** Its session, by its id: what is to be changed in it is not once it has ended (`invalid_credentials`). */
  readonly session?: string
  /** The app, by its id, on whose page it was done, for the app's part of the audit trail. */
  readonly app?: string
}

export interface AuditEntry {
  /** Its number as text; what is newer has a higher one. */
  readonly id: string
  readonly at: number
  readonly actor: string
  /** Such as `key.create`, `key.rotate`, `app.delete`, `account.update`. */
  readonly action: string
  /** The name of the key, the slug of the app, the e-mail of the account, the name of the collection. */
  readonly subject: string
  /** What was set or changed, as JSON; never a secret. */
  readonly details: string
  /** The account that did it, by its id. */
  readonly account: string | null
  /** The app that it was done to, or through, by its id. */
  readonly app: string | null
  /** What that is called; null also where it is removed for good. */
  readonly appSlug: string | null
  readonly address: string | null
}

/** What of an entry can be searched for. */
export type AuditSearch = Readonly<
  Partial<Record<'actor' | 'action' | 'subject' | 'address', string | undefined>>
>

export interface AuditFilter {
  readonly limit: number
  /** An entry, by its id: only older ones. */
  readonly before?: string | undefined
  /** By its id. */
  readonly app?: string | undefined
  /** Those of every app that has or had this slug. */
  readonly slug?: string | undefined
  /** By its id. */
  readonly account?: string | undefined
  /** Texts that stand in an entry, in whatever case (of letters a to z). */
  readonly search?: AuditSearch | undefined
}

/** Keeps the session of whoever changes the credentials of an account, and ends all others of it. */
export interface KeepsSession {
  /** By its id; without it every session ends. */
  readonly keepSession?: string
}

/** Apps and keys. Every change is written together with its line in the audit trail. */
export interface AppStore {
  /** All of them, ordered by slug. */
  listApps(): Promise<AppRecord[]>
  /** @throws AppError `app_exists`, `too_many_apps`, `quota_exceeded` */
  createApp(app: NewApp, actor: Actor, show?: Show<AppRecord>): Promise<AppRecord>
  /**
   * Makes an app with the documents and keys that it had elsewhere: all of it or nothing.
   * @throws AppError `app_exists`, `too_many_apps`, `too_many_keys`, `quota_exceeded`, `invalid_rule` where the rules of all
   * keys are too long
   */
  createAppFrom(app: RestoredApp, actor: Actor): Promise<{ app: AppRecord; keys: RestoredKeys }>
  /**
   * Takes the app out of the directory. It can be restored for a while (`DELETED_APP_MS`), until when its slug stays taken.
   * @throws AppError `app_not_found`
   */
  deleteApp(app: AppAddress, actor: Actor): Promise<DeletedApp>
  /** Those that can be restored, ordered by slug. */
  listDeletedApps(): Promise<DeletedApp[]>
  /** With its documents and shares; keys name it still. @throws AppError `app_not_found` */
  restoreApp(app: AppAddress, actor: Actor): Promise<AppRecord>
  /** Removes the app, deleted or not, with all of its documents at once. @throws AppError `app_not_found` */
  removeApp(app: AppAddress, actor: Actor): Promise<void>
  /** Whether indexes may be made for the app without being asked for. @throws AppError `app_not_found` */
  setAutoIndex(change: { app: AppAddress; isOn: boolean }, actor: Actor): Promise<void>
  /** @param app by its id */
  hasAutoIndex(app: string): Promise<boolean>
  /**
   * Changes the settings that are given, and leaves the rest.
   * @throws AppError `app_not_found`, `invalid_rule` where one that can't be read is not among them, or those of all apps are
   * too long
   */
  updateAppSettings(change: AppSettingsChange, actor: Actor): Promise<AppRecord>
  /** Those of one owner (null: the operator's), or all; ordered by name. */
  listKeys(filter?: { owner: string | null }): Promise<KeyRecord[]>
  /** @throws AppError `key_exists`, `too_many_keys`, `quota_exceeded`, `invalid_rule` where the rules of all keys are too long */
  createKey(key: NewKey, actor: Actor, show?: Show<KeyRecord>): Promise<KeyRecord>
  /**
   * Changes the rules that are given, and leaves the rest.
   * @throws AppError `key_not_found`, `invalid_rule` where a rule that can't be read is not among them
   */
  updateKey(change: KeyUpdate, actor: Actor): Promise<KeyRecord>
  /**
   * Gives the key a new secret; the old one works until then.
   * @throws AppError `key_not_found`, `invalid_rule` where too many old ones work still, or its rules can't be read
   */
  rotateKey(change: KeyRotation, actor: Actor, show?: Show<KeyRecord>): Promise<KeyRecord>
  /** Ends every token that was made from the key until now. @throws AppError `key_not_found` */
  endKeyTokens(key: ExistingKey, actor: Actor): Promise<void>
  /**
   * Ends every token that was made until now from a key that opens the app, or whose rules can't be read; answers of how many
   * keys. @throws AppError `app_not_found`
   */
  endAppTokens(app: AppAddress, actor: Actor): Promise<number>
  /** @throws AppError `key_not_found` */
  revokeKey(key: ExistingKey, actor: Actor): Promise<void>
  /** Writes down when keys were used, by their ids. Nobody reads the directory again for the sake of a time. */
  touchKeys(uses: ReadonlyMap<string, number>): Promise<void>
  /**
   * A new secret for tokens; the old one verifies until `oldUntil`.
   * @throws AppError `invalid_rule` where too many old ones verify still
   */
  rotateTokenSecret(change: { oldUntil: number }, actor: Actor): Promise<void>
  /** All apps, keys and token secrets as they are at one moment, ended secrets among them. */
  readDirectory(): Promise<Directory>
  /** The newest first. */
  listAudit(filter: AuditFilter): Promise<AuditEntry[]>
}

/**
 * Accounts and what is theirs. What an account does to apps, keys, tokens, indexes and accounts has a line in the audit trail,
 * and so have sign-ins and sessions that somebody ends, though no more than a part of the trail; used codes have none. Nobody
 * reads the directory anew for sessions and codes.
 */
export interface AccountStore
  extends AppStore,
    SiteStore,
    AlertStore,
    IdentityStore,
    PasskeyStore,
    QuotaStore,
    WaysInStore,
    TrafficStore {
  /** Apps that an account owns or that are shared with it, ordered by slug. */
  listAppsOf(account: string): Promise<AccountApp[]>
  /** Undefined where there is no such app, and where it has no part in it. */
  findAppOf(where: { account: string; slug: string }): Promise<AccountApp | undefined>
  /** Those that an account owned and can restore, ordered by slug. */
  listDeletedAppsOf(account: string): Promise<DeletedApp[]>
  listShares(app: AppAddress): Promise<AppShare[]>
  /** Null ends the share. @throws AppError `app_not_found`, `account_not_found`, `too_many_shares` */
  setShare(share: { app: AppAddress; account: string; role: ShareRole | null }, actor: Actor): Promise<void>
  /** Adds a line to the audit trail alone, for indexes are kept with the documents. */
  noteIndex(note: IndexNote, actor: Actor): Promise<void>
  /** The same for collections. @param note with the app's id */
  noteCollection(note: CollectionNote, actor: Actor): Promise<void>

  countAccounts(): Promise<number>
  /** Ordered by e-mail. */
  listAccounts(filter?: AccountFilter): Promise<AccountRecord[]>
  findAccount(by: { id: string } | { email: string }): Promise<AccountRecord | undefined>
  findCredentials(by: { id: string } | { email: string }): Promise<AccountCredentials | undefined>
  /** @throws AppError `account_exists`, `too_many_accounts` */
  createAccount(account: NewAccount & { isOperator: boolean }, actor: Actor): Promise<AccountRecord>
  /**
   * Makes an account, no operator's, for whoever asks for one and is nobody yet. The first one is made by a link alone.
   * @throws AppError `permission_denied` where there is none yet, `account_exists`, `identity_taken`, `too_many_accounts`
   */
  signUp(asked: { account: NewAccount; address: string }): Promise<AccountRecord>
  /**
   * Another password ends the sessions of the account, and links that would have given it one.
   * @throws AppError `account_not_found`, `account_exists`, `last_operator`, `invalid_credentials` where those that were
   * checked are others by now
   */
  updateAccount(change: { id: string } & AccountChange & KeepsSession, actor: Actor): Promise<AccountRecord>
  /** The same password hashed with other parameters; nothing is done where it was changed meanwhile. */
  rehashPassword(change: { id: string; from: string; to: string }): Promise<void>
  /**
   * Deletes its apps, or makes them the operator's. Its keys go with its apps, and then can do no more than before: `all`
   * becomes the apps that it had, and what has none of them left is revoked.
   * @throws AppError `account_not_found`, `last_operator`
   */
  deleteAccount(deletion: { id: string; apps: 'delete' | 'operator' }, actor: Actor): Promise<void>
  /** JSON text that the account's owner keeps here; `{}` to begin with. @throws AppError `account_not_found` */
  getPreferences(account: string): Promise<string>
  putPreferences(change: { account: string; preferences: string }): Promise<void>

  /** A second factor, for which `step` was used last. @throws AppError `account_not_found` */
  enableTotp(
    totp: {
      account: string
      secret: Uint8Array
      step: number
      recoveryHashes: readonly string[]
    } & KeepsSession,
    actor: Actor,
  ): Promise<void>
  disableTotp(change: { account: string } & KeepsSession, actor: Actor): Promise<void>
  /** Whether the step is newer than any that was used; of two at once with one step, one hears true. */
  useTotpStep(use: { account: string; step: number }): Promise<boolean>
  /** Whether there was such a code, which is used up by that. */
  useRecoveryCode(use: { account: string; hash: string }): Promise<boolean>
  replaceRecoveryCodes(change: { account: string; hashes: readonly string[] }, actor: Actor): Promise<void>

  /**
   * A link for setting up ends the one before it; one for another password those before it, but one that is mailed only
   * mailed ones.
   * @throws AppError `account_not_found`, `too_many_links`
   */
  createLink(link: Link, actor: Actor): Promise<void>
  /** Undefined where it never was, was used, or has ended. */
  findLink(hash: string): Promise<Link | undefined>
  /**
   * Makes the account that a link for setting up or of an invitation is good for; of two at once, one does.
   * @throws AppError `invalid_link`, `account_exists`, `identity_taken`, `too_many_accounts`
   */
  useLinkForAccount(use: { hash: string; account: NewAccount; address: string }): Promise<AccountRecord>
  /** Gives an account another password, and ends its sessions. @throws AppError `invalid_link` */
  useLinkForPassword(use: { hash: string; password: string; address: string }): Promise<AccountRecord>

  /**
   * The oldest of too many ends.
   * @throws AppError `account_not_found`, `invalid_credentials` where what was checked is another by now
   */
  createSession(session: NewSession): Promise<SessionRecord>
  /** With its account; undefined where it never was or has ended, as below. */
  findSession(hash: string): Promise<{ session: SessionRecord; account: AccountRecord } | undefined>
  /** Those that have not ended, the newest first. */
  listSessions(account: string): Promise<SessionRecord[]>
  /** That it is used now; `isAuthenticated` where the password was given again. */
  touchSession(touch: { id: string; isAuthenticated?: boolean }): Promise<void>
  /** Whether the account had such a session. */
  endSession(session: { account: string; id: string }, actor: AccountActor): Promise<boolean>
  /** All of an account but one; answers how many. */
  endSessions(which: { account: string } & KeepsSession, actor: AccountActor): Promise<number>

  /** @throws AppError `account_not_found`, `token_exists`, `too_many_tokens` */
  createToken(token: NewAccountToken, actor: Actor): Promise<AccountToken>
  findToken(hash: string): Promise<{ token: AccountToken; account: AccountRecord } | undefined>
  /** Ended ones among them, ordered by name. */
  listTokens(account: string): Promise<AccountToken[]>
  touchToken(id: string): Promise<void>
  /** @throws AppError `token_not_found` */
  deleteToken(token: { account: string; id: string }, actor: Actor): Promise<void>

  /** That somebody signed in to the account from there; the oldest of too many is forgotten. */
  noteAddress(known: { account: string; address: string }): Promise<void>
  isKnownAddress(known: { account: string; address: string }): Promise<boolean>

  /**
   * Makes the secret that tokens are signed with, where there is none yet, and removes what has ended: secrets, sessions and
   * deleted apps past their time, and the documents of apps that a killed process left behind.
   */
  tidy(): Promise<void>
  /** Texts under a name, no part of the directory. */
  setting(name: string): Promise<string | undefined>
  putSetting(name: SettingName, value: string): Promise<void>
  close(): Promise<void>
}
