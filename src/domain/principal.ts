import type { KeyRules } from './key-rules.ts'

/** Who is asking: the key behind a credential, or the session of an account at one app, and what it may do now. */
export interface Principal {
  /** The key record's id, or the session's. */
  readonly keyId: string
  /** The key's name, as its owner chose it, or the account's e-mail. */
  readonly name: string
  /** Whose apps it may reach: an account's, by its id, or the operator's (null), as the key's owner is. */
  readonly owner: string | null
  readonly rules: KeyRules
  /** Whether it is an account, and no key. */
  readonly isAccount?: true
  /** Whether it is the account whose app it is. */
  readonly isOwner?: true
}
