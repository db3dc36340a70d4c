import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ulid } from 'ulid'
import { AppError } from '../../errors.ts'
import type { AppRecord, ControlStore, Directory, KeyRecord } from '../store.ts'
import { migrateControl } from './control-schema.ts'
import { appFile, appsFolder, controlFile, sqliteCode, syncFolder, unusable } from './data-folder.ts'
import { createAppFile } from './schema.ts'

const BUSY_TIMEOUT_MS = 5000
const TOKEN_SECRET_BYTES = 32
const TOKEN_SECRET = 'token_secret'

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_CONSTRAINT = 19
const SQLITE_NOTADB = 26

type Row = Record<string, unknown>

/**
 * Accounts' side of the embedded store, in `<data>/control.sqlite`. Several processes may use the file at once
 * (the command line beside a running server); each sees the others' changes through `version`.
 */
export class SqliteControl implements ControlStore {
  readonly #dataDir: string
  readonly #now: () => number
  readonly #db: DatabaseSync
  readonly #dataVersion: StatementSync
  #seenDataVersion = 0
  #changes = 0

  /** Use `openControl`. */
  constructor(db: DatabaseSync, { dataDir, now }: { dataDir: string; now: () => number }) {
    this.#db = db
    this.#dataDir = dataDir
    this.#now = now
    this.#dataVersion = db.prepare('PRAGMA data_version')
  }

  /**
   * A number that rises whenever the directory may have changed, by this process or another. Costs about 1 µs.
   * Ask before `readDirectory`, so that a change in between shows at the next look.
   */
  version(): number {
    const seen = Number(this.#guard(() => this.#dataVersion.get())?.data_version)
    if (seen !== this.#seenDataVersion) this.#changes += 1
    this.#seenDataVersion = seen
    return this.#changes
  }

  /** All apps and keys as they are at one moment. */
  readDirectory(): Directory {
    return this.#transaction('DEFERRED', () => {
      const keys = this.#keys()
      return {
        apps: new Map(this.#apps().map((app) => [app.slug, app])),
        keysByHash: new Map(keys.map((key) => [key.hash, key])),
        keysById: new Map(keys.map((key) => [key.id, key])),
        tokenSecret: this.#tokenSecret(),
      }
    })
  }

  async listApps(): Promise<AppRecord[]> {
    return this.#guard(() => this.#apps())
  }

  async listKeys(): Promise<KeyRecord[]> {
    return this.#guard(() => this.#keys())
  }

  /** The app's file is on the disk before the app can be seen. */
  async createApp(slug: string): Promise<AppRecord> {
    return this.#guard(() => {
      if (this.#db.prepare('SELECT 1 FROM apps WHERE slug = ?').get(slug)) throw appExists(slug)
      const app = { id: ulid(this.#now()), slug, createdAt: this.#now() }
      createAppFile(appFile(this.#dataDir, app.id))
      syncFolder(appsFolder(this.#dataDir))
      const insert = this.#db.prepare('INSERT INTO apps(id, slug, created_at) VALUES (?, ?, ?)')
      try {
        insert.run(app.id, slug, app.createdAt)
      } catch (error) {
        this.#removeAppFile(app.id)
        // Another process took the slug in between.
        throw sqliteCode(error) === SQLITE_CONSTRAINT ? appExists(slug) : error
      }
      this.#changes += 1
      return app
    })
  }

  async deleteApp(slug: string): Promise<void> {
    this.#transaction('IMMEDIATE', () => {
      const row = this.#db.prepare('DELETE FROM apps WHERE slug = ? RETURNING id').get(slug)
      if (row === undefined) throw new AppError('app_not_found', `there is no app "${slug}"`)
      this.#db.prepare('INSERT INTO removed_apps(id) VALUES (?)').run(String(row.id))
    })
    this.#changes += 1
    this.removeDeletedFiles()
  }

  async createKey({ name, hash }: { name: string; hash: string }): Promise<KeyRecord> {
    const key: KeyRecord = {
      id: ulid(this.#now()),
      name,
      hash,
      permission: 'full',
      apps: null,
      createdAt: this.#now(),
    }
    this.#guard(() => {
      const insert = this.#db.prepare(
        'INSERT INTO keys(id, name, hash, permission, apps, created_at) VALUES (?, ?, ?, ?, NULL, ?)',
      )
      try {
        insert.run(key.id, name, hash, key.permission, key.createdAt)
      } catch (error) {
        if (sqliteCode(error) !== SQLITE_CONSTRAINT) throw error
        throw new AppError('key_exists', `there is a key "${name}" already; choose another name or revoke it`)
      }
    })
    this.#changes += 1
    return key
  }

  async revokeKey(name: string): Promise<void> {
    const { changes } = this.#guard(() => this.#db.prepare('DELETE FROM keys WHERE name = ?').run(name))
    if (Number(changes) === 0) throw new AppError('key_not_found', `there is no key "${name}"`)
    this.#changes += 1
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

  /** Makes the secret that tokens are signed with, where there is none yet. */
  ensureTokenSecret(): void {
    const insert = 'INSERT INTO settings(name, value) VALUES (?, ?) ON CONFLICT DO NOTHING'
    this.#guard(() => this.#db.prepare(insert).run(TOKEN_SECRET, randomBytes(TOKEN_SECRET_BYTES)))
  }

  /** Removes the documents of deleted apps, also those that a killed process left behind. */
  removeDeletedFiles(): void {
    this.#guard(() => {
      for (const { id } of this.#db.prepare('SELECT id FROM removed_apps').all()) {
        this.#removeAppFile(String(id))
        this.#db.prepare('DELETE FROM removed_apps WHERE id = ?').run(String(id))
      }
    })
  }

  #removeAppFile(id: string): void {
    const path = appFile(this.#dataDir, id)
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
  }

  #apps(): AppRecord[] {
    return this.#db.prepare('SELECT id, slug, created_at FROM apps ORDER BY slug').all().map(appRecord)
  }

  #keys(): KeyRecord[] {
    const select = 'SELECT id, name, hash, permission, apps, created_at FROM keys ORDER BY name'
    return this.#db.prepare(select).all().map(keyRecord)
  }

  #tokenSecret(): Uint8Array {
    const row = this.#db.prepare('SELECT value FROM settings WHERE name = ?').get(TOKEN_SECRET)
    if (row?.value instanceof Uint8Array && row.value.length === TOKEN_SECRET_BYTES) return row.value
    throw unusable(this.#dataDir, 'control.sqlite has lost its token secret')
  }

  #transaction<T>(kind: 'DEFERRED' | 'IMMEDIATE', work: () => T): T {
    return this.#guard(() => {
      this.#db.exec(`BEGIN ${kind}`)
      try {
        const result = work()
        this.#db.exec('COMMIT')
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
export function openControl(dataDir: string, { now } = { now: Date.now }): SqliteControl {
  let db: DatabaseSync | undefined
  try {
    createPrivateFile(controlFile(dataDir), dataDir)
    db = new DatabaseSync(controlFile(dataDir), { timeout: BUSY_TIMEOUT_MS })
    migrateControl(db, BUSY_TIMEOUT_MS)
    const control = new SqliteControl(db, { dataDir, now })
    control.ensureTokenSecret()
    control.removeDeletedFiles()
    return control
  } catch (error) {
    db?.close()
    throw controlError(dataDir, error)
  }
}

/** SQLite gives its -wal and -shm the mode of the database, so that must be right before SQLite sees it. */
function createPrivateFile(path: string, folder: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    syncFolder(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(path, 0o600)
  }
}

function controlError(dataDir: string, error: unknown): unknown {
  if (error instanceof AppError) return error
  const code = sqliteCode(error)
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED)
    return new AppError('store_unavailable', 'the control file is busy; try again', { cause: error })
  if (code === SQLITE_NOTADB || code === SQLITE_CORRUPT)
    return unusable(dataDir, 'control.sqlite is damaged or not a Sheaf control file; restore it', error)
  const problem = error instanceof Error ? error.message : String(error)
  return unusable(dataDir, code === undefined ? problem : `control.sqlite: ${problem}`, error)
}

function appExists(slug: string): AppError {
  return new AppError('app_exists', `there is an app "${slug}" already`)
}

function appRecord(row: Row): AppRecord {
  return { id: String(row.id), slug: String(row.slug), createdAt: Number(row.created_at) }
}

function keyRecord(row: Row): KeyRecord {
  if (row.permission !== 'full') throw new Error(`unknown permission of key ${String(row.id)}`)
  return {
    id: String(row.id),
    name: String(row.name),
    hash: String(row.hash),
    permission: row.permission,
    apps: row.apps === null ? null : (JSON.parse(String(row.apps)) as string[]),
    createdAt: Number(row.created_at),
  }
}
