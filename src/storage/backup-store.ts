import type { RestoredApp } from './account-changes.ts'
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
  /** Slugs of apps of whose sites something is missing in it, for it is damaged or missing in the data folder. */
  readonly damagedSites: readonly string[]
}

/** A key that names an app. */
export type BackedUpKey = Pick<KeyRecord, 'name' | 'rules' | 'secrets' | 'createdAt'>

/** What a backup says of an app beside its documents. */
export interface BackedUpApp extends Pick<RestoredApp, 'slug' | 'isAutoIndexOn' | 'settings'> {
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

/** A file that somebody sends is written here, and removed by whoever asked where. */
export interface Upload {
  readonly path: string
  readonly mostBytes: number
}

/** Where backups are made by the clock. */
export interface BackupSchedule {
  /** An absolute path. */
  readonly folder: string
  /** Undefined where they are made only when somebody asks for one. */
  readonly everyMs: number | undefined
  /** How many there are; the oldest go. */
  readonly keep: number
}

/** A backup in the folder of the schedule. */
export interface KeptBackup {
  readonly name: string
  readonly bytes: number
  /** Milliseconds since the Unix epoch. */
  readonly madeAt: number
}

/** A backup in the folder of the schedule that waits for its turn, or is being made. */
export interface BackupUnderWay {
  /** When it was asked for, in milliseconds since the Unix epoch. */
  readonly since: number
  readonly hasBegun: boolean
}

/** Makes and reads backups, one at a time, on a thread of their own. */
export interface BackupService {
  readonly schedule: BackupSchedule | undefined
  /**
   * Makes one as a temporary file, which is whoever's who asked for it.
   * @throws AppError `app_not_found`, `overloaded`, `store_unavailable`
   */
  make(contents: BackupContents): Promise<MadeBackup>
  /** Makes one of everything in the folder of the schedule, and removes those that are too many. @throws as `make` */
  keep(): Promise<MadeBackup>
  /** Those in the folder, the newest first. @throws AppError `store_unavailable` */
  kept(): Promise<readonly KeptBackup[]>
  /** The one that `keep` was asked for first; undefined where there is none. */
  underWay(): BackupUnderWay | undefined
  /**
   * Where a backup may be sent to, no more of it than the disk has room for. It counts as under way until its file is gone.
   * @param by an account, which may have one under way
   * @throws AppError `rate_limited`, `overloaded`
   */
  prepareUpload(by: string): Promise<Upload>
  /**
   * Reads an app of a backup; the file that it makes of the documents is whoever's who asked for it.
   * @throws AppError `invalid_backup`, `app_not_found`, `invalid_request`, `overloaded`, `store_unavailable`
   */
  read(path: string, from?: string): Promise<ReadApp>
  /** Removes a temporary file. */
  discard(path: string): Promise<void>
}
