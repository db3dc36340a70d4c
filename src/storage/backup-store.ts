import type { KeyRecord } from './store.ts'

/** What a backup is made of: everything, or one app. */
export interface BackupContents {
  /** An app, by its id; without it everything. */
  readonly app?: string | undefined
  /**
   * Whether it has what accounts sign in by, what tokens are signed with, and the private key of the certificate. A backup
   * of one app has none of that in any case.
   */
  readonly hasSecrets: boolean
}

/** A backup that was made, read back, and found whole. */
export interface MadeBackup {
  /** Where the file is. */
  readonly path: string
  readonly bytes: number
  readonly apps: number
  /** Milliseconds since the Unix epoch. What was acknowledged before that is in it. */
  readonly madeAt: number
}

/** A key that names an app. */
export type BackedUpKey = Pick<KeyRecord, 'name' | 'rules' | 'secrets' | 'createdAt'>

/** What a backup says of an app beside its documents. */
export interface BackedUpApp {
  readonly slug: string
  readonly isAutoIndexOn: boolean
  /** The ones that name the app; those for all apps of their owner are none of its. */
  readonly keys: readonly BackedUpKey[]
}

/** An app as it was read from a backup. */
export interface ReadApp extends BackedUpApp {
  /** A file that was made anew of its documents, to be taken over as it is. */
  readonly path: string
  readonly collections: number
  readonly documents: number
}
