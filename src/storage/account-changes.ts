import type { AppSettings } from '../domain/app-settings.ts'
import type { KeyRules } from '../domain/key-rules.ts'
import type { AppRecord, KeySecret } from './store.ts'

export interface NewApp {
  readonly slug: string
  /** An account, by its id; null for the operator's. */
  readonly owner: string | null
}

/** An app that comes with its documents and keys. */
export interface RestoredApp extends NewApp {
  /** A file with its documents, which is moved to where they belong. */
  readonly documents: string
  readonly keys: readonly RestoredKey[]
  readonly isAutoIndexOn: boolean
  /** Without them nothing is set. Those that could not be read where it was before can't be read again. */
  readonly settings?: AppSettings | 'unreadable' | undefined
}

/** A key as it was; its rules are those that it gets. */
export interface RestoredKey {
  readonly name: string
  readonly rules: KeyRules
  readonly secrets: readonly KeySecret[]
  readonly createdAt: number
}

/** What became of the keys of a restored app, by their names as they were. */
export interface RestoredKeys {
  readonly made: readonly string[]
  /** With the names that they have now, for the owner has others of theirs. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Secrets of theirs are there already: in the key that they were copied from, as a rule. */
  readonly leftOut: readonly string[]
}

/**
 * A slug, or a record that was read before: where its slug is another app's by now, there is no such app. Whoever was
 * found to have a part in an app is to change that one alone.
 */
export type AppAddress = string | AppRecord

export interface AppSettingsChange {
  readonly app: AppAddress
  /** What is left out stays. */
  readonly settings: Partial<AppSettings>
}

/** Names of keys are unique among those of one owner. */
export interface KeyAddress {
  /** An account, by its id; null for the operator's. */
  readonly owner: string | null
  readonly name: string
}

/** What a key has to be still, where it was found before: else there is no such key. */
export interface KeyGuard {
  /** The key's, lest the name is another one's by now. */
  readonly id?: string | undefined
  /** A slug: the key's rules name this app and no other. */
  readonly onlyApp?: string | undefined
}

export interface ExistingKey extends KeyAddress, KeyGuard {}

export interface KeyUpdate extends ExistingKey {
  readonly rules: Partial<KeyRules>
  /** Where the permission was given as the word `full`, which a site key is refused. */
  readonly saysFull?: boolean | undefined
}

export interface NewKey extends KeyAddress {
  readonly hash: string
  readonly rules: KeyRules
}

export interface NewSiteKey {
  readonly app: AppAddress
  readonly hash: string
  /** In clear, for it is published. */
  readonly secret: string
  /** `apps`, `websites` and `localhost` are the site's, whatever they say. */
  readonly rules: KeyRules
}

export interface KeyRotation extends ExistingKey {
  /** Of the new secret. */
  readonly hash: string
  /** In clear, where it was made here; kept only where the key is a site's. */
  readonly secret?: string | undefined
  /** When the old ones stop working, in milliseconds since the Unix epoch. */
  readonly oldUntil: number
}

/**
 * Shows what is about to be made, when all that could be wrong with it was found to be right; where it throws, nothing is
 * made. It may take its time: others go on meanwhile, so that it may still fail to be made after that.
 */
export type Show<Made> = (made: Made) => void
