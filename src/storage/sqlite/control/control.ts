import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ulid } from 'ulid'
import { type KeyRules, storedRules } from '../../../domain/key-rules.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../domain/limits.ts'
import { AppError } from '../../../errors.ts'
import type { KeyRotation, NewKey, Show } from '../../account-changes.ts'
import type { Actor, AppRecord, AuditEntry, ControlStore, Directory, KeyRecord } from '../../store.ts'
import { appFile, appsFolder, controlFile, syncFolder } from '../files/data-folder.ts'
import { createPrivateFile } from '../files/private-file.ts'
import { createAppFile } from '../files/schema.ts'
import { insertApp, refuseNewApp, removeAppFile, removeDeletedApps, selectApps } from './control-apps.ts'
import { insertAuditEntry, newestAuditLine, selectAuditEntries } from './control-audit.ts'
import { writeAutoIndex } from './control-auto-index.ts'
import { selectDirectory } from './control-directory.ts'
import { controlError, openingError } from './control-failures.ts'
import {
  addSecret,
  deleteEndedSecrets,
  deleteKey,
  insertKey,
  selectKeys,
  updateLastUses,
  updateRules,
} from './control-keys.ts'
import { migrateControl } from './control-schema.ts'
import {
  deleteEndedTokenSecrets,
  endTokenSecrets,
  hasTokenSecret,
  insertTokenSecret,
} from './control-token-secrets.ts'

const BUSY_TIMEOUT_MS = 5000

interface ControlOptions {
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
  /** For whoever makes apps and keys. */
  readonly limits?: Pick<Limits, 'apps' | 'keys'>
}

/** What a change did, for the audit trail. */
interface Change<Result> {
  readonly result: Result
  readonly action: string
  readonly subject: string
  readonly details?: object
}

/**
 * Accounts' side of the embedded store, in `<data>/control.sqlite`. Several processes may use the file at once
 * (the command line beside a running server); each sees the others' changes through `version`.
 */
export class SqliteControl implements ControlStore {
  readonly #dataDir: string
  readonly #now: () => number
  readonly #limits: Pick<Limits, 'apps' | 'keys'>
  readonly #db: DatabaseSync
  readonly #dataVersion: StatementSync
  #seenDataVersion = 0
  #newestLine = 0

  /** Use `openControl`. */
  constructor(
    db: DatabaseSync,
    dataDir: string,
    { now = Date.now, limits = DEFAULT_LIMITS }: ControlOptions,
  ) {
    this.#db = db
    this.#dataDir = dataDir
    this.#now = now
    this.#limits = limits
    this.#dataVersion = db.prepare('PRAGMA data_version')
  }

  /**
   * A number that rises with every change of the directory, by this process or another: that of the newest line of the
   * audit trail, for no other write needs to be seen. Costs about 1 µs where there was none. Ask before
   * `readDirectory`, so that a change in between shows at the next look.
   */
  version(): number {
    return this.#guard(() => {
      const seen = Number(this.#dataVersion.get()?.data_version)
      if (seen !== this.#seenDataVersion) this.#newestLine = newestAuditLine(this.#db)
      this.#seenDataVersion = seen
      return this.#newestLine
    })
  }

  /** All apps, keys and token secrets as they are at one moment, ended secrets among them. */
  readDirectory(): Directory {
    return this.#transaction('DEFERRED', () => selectDirectory(this.#db))
  }

  async listApps(): Promise<AppRecord[]> {
    return this.#guard(() => selectApps(this.#db))
  }

  async setAutoIndex(change: { slug: string; isOn: boolean }, actor: Actor): Promise<void> {
    this.#change(actor, () => ({
      result: writeAutoIndex(this.#db, change),
      action: 'app.update',
      subject: change.slug,
      details: { autoIndex: change.isOn },
    }))
  }

  async listKeys(): Promise<KeyRecord[]> {
    return this.#transaction('DEFERRED', () => selectKeys(this.#db))
  }

  /** The app's file is on the disk before the app can be seen. */
  async createApp(slug: string, actor: Actor, show?: Show<AppRecord>): Promise<AppRecord> {
    const app = { id: ulid(this.#now()), slug, createdAt: this.#now() }
    const wanted = { slug, most: this.#limits.apps }
    this.#guard(() => refuseNewApp(this.#db, wanted))
    try {
      this.#guard(() => {
        createAppFile(appFile(this.#dataDir, app.id))
        syncFolder(appsFolder(this.#dataDir))
      })
      const make = (): Change<AppRecord> => {
        // Another process may have made one in between.
        refuseNewApp(this.#db, wanted)
        insertApp(this.#db, app)
        return { result: app, action: 'app.create', subject: slug }
      }
      return this.#change(actor, make, show)
    } catch (error) {
      removeAppFile(this.#dataDir, app.id)
      throw error
    }
  }

  async deleteApp(slug: string, actor: Actor): Promise<void> {
    this.#change(actor, () => {
      const row = this.#db.prepare('DELETE FROM apps WHERE slug = ? RETURNING id').get(slug)
      if (row === undefined) throw new AppError('app_not_found', `there is no app "${slug}"`)
      this.#db.prepare('INSERT INTO removed_apps(id) VALUES (?)').run(String(row.id))
      return { result: undefined, action: 'app.delete', subject: slug }
    })
    this.#removeDeletedFiles()
  }

  async createKey(key: Omit<NewKey, 'owner'>, actor: Actor, show?: Show<KeyRecord>): Promise<KeyRecord> {
    const now = this.#now()
    const make = (): Change<KeyRecord> => ({
      result: insertKey(this.#db, { ...key, now, most: this.#limits.keys }),
      action: 'key.create',
      subject: key.name,
      details: storedRules(key.rules),
    })
    return this.#change(actor, make, show)
  }

  async updateKey(change: { name: string; rules: Partial<KeyRules> }, actor: Actor): Promise<KeyRecord> {
    return this.#change(actor, () => ({
      result: updateRules(this.#db, change.name, change.rules),
      action: 'key.update',
      subject: change.name,
      details: storedRules(change.rules),
    }))
  }

  async rotateKey(
    change: Omit<KeyRotation, 'owner'>,
    actor: Actor,
    show?: Show<KeyRecord>,
  ): Promise<KeyRecord> {
    const now = this.#now()
    const make = (): Change<KeyRecord> => ({
      result: addSecret(this.#db, { ...change, now }),
      action: 'key.rotate',
      subject: change.name,
      details: { oldUntil: change.oldUntil },
    })
    return this.#change(actor, make, show)
  }

  async revokeKey(name: string, actor: Actor): Promise<void> {
    this.#change(actor, () => ({
      result: deleteKey(this.#db, name),
      action: 'key.revoke',
      subject: name,
    }))
  }

  async rotateTokenSecret({ oldUntil }: { oldUntil: number }, actor: Actor): Promise<void> {
    this.#change(actor, () => {
      endTokenSecrets(this.#db, { until: oldUntil, now: this.#now() })
      const kid = insertTokenSecret(this.#db)
      return { result: undefined, action: 'token.rotate-secret', subject: kid, details: { oldUntil } }
    })
  }

  async listAudit({ limit }: { limit: number }): Promise<AuditEntry[]> {
    return this.#guard(() => selectAuditEntries(this.#db, limit))
  }

  /**
   * Writes down when keys were used, by their ids, in milliseconds since the Unix epoch. Nobody reads the directory
   * again for the sake of a time.
   */
  touchKeys(uses: ReadonlyMap<string, number>): void {
    this.#transaction('IMMEDIATE', () => updateLastUses(this.#db, uses))
  }

  /** Settings are no part of the directory, so that writing one makes nobody read it again. */
  setting(name: string): string | undefined {
    const row = this.#guard(() => this.#db.prepare('SELECT value FROM settings WHERE name = ?').get(name))
    return row === undefined ? undefined : Buffer.from(row.value as Uint8Array).toString()
  }

  putSetting(name: string, value: string): void {
    const upsert =
      'INSERT INTO settings(name, value) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value'
    this.#guard(() => this.#db.prepare(upsert).run(name, Buffer.from(value)))
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  /**
   * Makes the secret that tokens are signed with, where there is none yet, and removes what has ended: secrets past
   * their time, and the documents of deleted apps that a killed process left behind.
   */
  tidy(): void {
    this.#transaction('IMMEDIATE', () => {
      deleteEndedSecrets(this.#db, this.#now())
      deleteEndedTokenSecrets(this.#db, this.#now())
      if (!hasTokenSecret(this.#db)) insertTokenSecret(this.#db)
    })
    this.#removeDeletedFiles()
  }

  /** Removes the documents of deleted apps. */
  #removeDeletedFiles(): void {
    this.#guard(() => removeDeletedApps(this.#db, this.#dataDir))
  }

  /**
   * One change and its line in the audit trail: both are done, or neither. What has to be shown before is made first on
   * trial: showing it may take long, and a server beside this process can't write meanwhile where the file is locked.
   */
  #change<Result>(actor: Actor, work: () => Change<Result>, show?: Show<Result>): Result {
    if (show !== undefined) show(this.#transaction('IMMEDIATE', () => work().result, 'ROLLBACK'))
    const { result, line } = this.#transaction('IMMEDIATE', () => {
      const { result, action, subject, details = {} } = work()
      const line = insertAuditEntry(this.#db, { at: this.#now(), actor, action, subject, details })
      return { result, line }
    })
    this.#newestLine = line
    return result
  }

  #transaction<T>(kind: 'DEFERRED' | 'IMMEDIATE', work: () => T, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): T {
    return this.#guard(() => {
      this.#db.exec(`BEGIN ${kind}`)
      try {
        const result = work()
        this.#db.exec(end)
        return result
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
        throw error
      }
    })
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw controlError(this.#dataDir, error)
    }
  }
}

/**
 * Opens the control file, making it where there is none. The folder has to be there (`openDataFolder`).
 * @throws AppError `data_folder_unusable`, `store_unavailable`
 */
export function openControl(dataDir: string, options: ControlOptions = {}): SqliteControl {
  let db: DatabaseSync | undefined
  try {
    createPrivateFile(controlFile(dataDir), dataDir)
    db = new DatabaseSync(controlFile(dataDir), { timeout: BUSY_TIMEOUT_MS })
    migrateControl(db, BUSY_TIMEOUT_MS)
    const control = new SqliteControl(db, dataDir, options)
    control.tidy()
    return control
  } catch (error) {
    db?.close()
    throw openingError(dataDir, error)
  }
}
