import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { DELETED_APP_MS } from '../../../domain/accounts.ts'
import type { Alert } from '../../../domain/alerts.ts'
import { type AlertRow, alertOf, FIRING_SELECT } from '../../accounts/alert-rows.ts'
import {
  type AppRow,
  appRecord,
  DIRECTORY_SELECTS,
  type DirectoryRows,
  directoryFrom,
  VERSION_SELECT,
} from '../../accounts/directory-rows.ts'
import { SETUP_LINK_SETTING, type SetupLink, setupLinkText } from '../../accounts/setup-link.ts'
import { DEPLOYS_SELECT } from '../../accounts/site-rows.ts'
import type { SettingName } from '../../setting-names.ts'
import type { AppRecord, Directory } from '../../store.ts'
import { openControlDatabase, reopenControlDatabase } from './control-database.ts'
import { controlError } from './control-failures.ts'

/**
 * What a server reads of the control file, and the little that it writes there by itself, without the query builder, so
 * that a start needn't load it. Accounts are changed by `openAccounts`. Several processes may use the file at once (the
 * command line beside a running server); each sees the others' changes through `version`.
 */
export class ControlFile {
  private readonly db: DatabaseSync
  private readonly dataDir: string
  private readonly dataVersion: StatementSync
  private seenDataVersion = 0
  private seenVersion = 0

  /** Use `openControlFile` or `reopenControlFile`. */
  constructor(db: DatabaseSync, dataDir: string) {
    this.db = db
    this.dataDir = dataDir
    this.dataVersion = db.prepare('PRAGMA data_version')
  }

  /**
   * A number that rises with every change of the directory, by this process or another. Costs about 1 µs where nothing
   * was written. Ask before `readDirectory`, so that a change in between shows at the next look.
   */
  version(): number {
    return this.guard(() => {
      const seen = Number(this.dataVersion.get()?.data_version)
      if (seen !== this.seenDataVersion)
        this.seenVersion = Number(this.db.prepare(VERSION_SELECT).get()?.version)
      this.seenDataVersion = seen
      return this.seenVersion
    })
  }

  /** All apps, keys and token secrets as they are at one moment, ended secrets among them. */
  readDirectory(): Directory {
    return this.guard(() => {
      this.db.exec('BEGIN')
      try {
        const rows = Object.entries(DIRECTORY_SELECTS).map(([name, text]) => [name, this.rowsOf(text)])
        return directoryFrom(Object.fromEntries(rows) as DirectoryRows)
      } finally {
        this.db.exec('ROLLBACK')
      }
    })
  }

  /** Those that were deleted and can be restored among them, ordered by slug. */
  listEveryApp(): AppRecord[] {
    const every = 'SELECT id, slug, owner, created_at, settings FROM apps ORDER BY slug'
    return this.guard(() => (this.rowsOf(every) as AppRow[]).map(appRecord))
  }

  /** Hashes of the manifests of the versions that each app keeps, by ids of apps. */
  manifests(): ReadonlyMap<string, readonly string[]> {
    const rows = this.guard(() => this.rowsOf(DEPLOYS_SELECT)) as [
      app: string,
      version: bigint,
      hash: string,
    ][]
    const byApp = Map.groupBy(rows, ([app]) => app)
    return new Map([...byApp].map(([app, versions]) => [app, versions.map(([, , hash]) => hash)]))
  }

  hasAccounts(): boolean {
    return this.guard(() => this.db.prepare('SELECT 1 FROM accounts LIMIT 1').get() !== undefined)
  }

  countAccounts(): number {
    return this.guard(() => Number(this.db.prepare('SELECT count(*) AS count FROM accounts').get()?.count))
  }

  /** Whether something has ended that is there still, or the secret of tokens is missing. */
  needsTidying(now: number): boolean {
    const { tokenSecrets, keysById } = this.readDirectory()
    const secrets = [...tokenSecrets, ...[...keysById.values()].flatMap((key) => key.secrets)]
    return (
      secrets.some(({ until }) => until !== null && until <= now) ||
      !tokenSecrets.some(({ until }) => until === null) ||
      this.guard(() => this.db.prepare('SELECT 1 FROM removed_apps LIMIT 1').get() !== undefined) ||
      this.hasExpiredApps(now)
    )
  }

  /** Whether a deleted app is there still that can't be restored any more. */
  hasExpiredApps(now: number): boolean {
    const expired = 'SELECT 1 FROM apps WHERE deleted_at <= ? LIMIT 1'
    return this.guard(() => this.db.prepare(expired).get(now - DELETED_APP_MS) !== undefined)
  }

  /** Alerts that fired when the last server ended, and may do so still. */
  firingAlerts(): Alert[] {
    const statement = this.db.prepare(FIRING_SELECT)
    statement.setReadBigInts(true)
    const rows = this.guard(() => statement.all()) as unknown as AlertRow[]
    return rows.map(alertOf).filter((alert) => alert !== undefined)
  }

  /**
   * Writes down when keys were used, by their ids, in milliseconds since the Unix epoch; a time never goes back. Nobody
   * reads the directory again for the sake of a time.
   */
  touchKeys(uses: ReadonlyMap<string, number>): void {
    const touch = 'UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?'
    this.guard(() => {
      this.db.exec('BEGIN IMMEDIATE')
      try {
        const update = this.db.prepare(touch)
        for (const [id, at] of uses) update.run(at, id)
        this.db.exec('COMMIT')
      } catch (error) {
        if (this.db.isTransaction) this.db.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** Settings are no part of the directory, so that writing one makes nobody read it again. */
  setting(name: string): string | undefined {
    const row = this.guard(() => this.db.prepare('SELECT value FROM settings WHERE name = ?').get(name))
    return row === undefined ? undefined : Buffer.from(row.value as Uint8Array).toString()
  }

  putSetting(name: SettingName, value: string): void {
    const upsert =
      'INSERT INTO settings(name, value) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value'
    this.guard(() => this.db.prepare(upsert).run(name, Buffer.from(value)))
  }

  /** The link for making the first account; it ends the one before it. */
  putSetupLink(link: SetupLink): void {
    this.putSetting(SETUP_LINK_SETTING, setupLinkText(link))
  }

  close(): void {
    if (this.db.isOpen) this.db.close()
  }

  private rowsOf(text: string): unknown[] {
    const statement = this.db.prepare(text)
    statement.setReturnArrays(true)
    // One number that a double can't hold would fail the whole statement.
    statement.setReadBigInts(true)
    return statement.all()
  }

  private guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw controlError(this.dataDir, error)
    }
  }
}

/**
 * Opens the control file, making it where there is none, and tidies it where there is something to tidy.
 * @param now milliseconds since the Unix epoch
 * @throws AppError `data_folder_unusable`, `store_unavailable`
 */
export async function openControlFile(dataDir: string, now: () => number = Date.now): Promise<ControlFile> {
  const file = new ControlFile(await openControlDatabase(dataDir), dataDir)
  try {
    if (file.needsTidying(now())) {
      const { openAccounts } = await import('./open-accounts.ts')
      await (await openAccounts({ dataDir, now })).close()
    }
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

/** The same for a file that this process has opened before. @throws AppError `data_folder_unusable`, `store_unavailable` */
export function reopenControlFile(dataDir: string): ControlFile {
  return new ControlFile(reopenControlDatabase(dataDir), dataDir)
}
