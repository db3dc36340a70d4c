import type { Kysely } from 'kysely'
import { ulid } from 'ulid'
import type { Limits } from '../../domain/limits.ts'
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
} from '../account-changes.ts'
import type { DeletedApp } from '../account-records.ts'
import type { Actor, AppStore, AuditEntry, AuditFilter } from '../account-store.ts'
import type { AppRecord, Directory, KeyRecord } from '../store.ts'
import type { AccountDatabase, AppDocuments } from './account-database.ts'
import {
  anyAppAt,
  appAt,
  forgetRemovedApp,
  insertApp,
  refuseNewApp,
  removeApp,
  selectApps,
  selectRemovedApps,
} from './apps.ts'
import { selectAuditEntries } from './audit.ts'
import { AuditedTransactions, type Change } from './audited-transactions.ts'
import { markDeleted, removeExpiredApps, restoreApp, selectDeletedApps } from './deleted-apps.ts'
import {
  addSecret,
  deleteEndedSecrets,
  deleteKey,
  insertKey,
  raiseTokenGeneration,
  raiseTokenGenerations,
  selectKeys,
  updateLastUses,
  updateRules,
} from './keys.ts'
import { refuseManyComingKeys } from './owner-bounds.ts'
import { countsOf, insertRestoredKeys } from './restored-keys.ts'
import { selectDirectory } from './select-directory.ts'
import { deleteEndedSessions } from './sessions.ts'
import { auditedRules } from './stored-rules.ts'
import { restoredText } from './stored-settings.ts'
import type { Tables } from './tables.ts'
import {
  deleteEndedTokenSecrets,
  endTokenSecrets,
  ensureTokenSecret,
  insertTokenSecret,
} from './token-secrets.ts'
import { updateSettings } from './update-settings.ts'
import { readAutoIndex, writeAutoIndex } from './write-auto-index.ts'

export interface AccountStoreParts {
  readonly database: AccountDatabase
  readonly documents: AppDocuments
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  readonly limits: Pick<Limits, 'apps' | 'keys'>
}

/** Apps and keys over a query builder, for every database. */
export class KyselyAppStore implements AppStore {
  protected readonly now: () => number
  protected readonly log: AuditedTransactions
  private readonly documents: AppDocuments
  protected readonly limits: Pick<Limits, 'apps' | 'keys'>

  constructor({ database, documents, now, limits }: AccountStoreParts) {
    this.now = now
    this.log = new AuditedTransactions(database, now)
    this.documents = documents
    this.limits = limits
  }

  listApps(): Promise<AppRecord[]> {
    return this.log.read(selectApps)
  }

  createApp(app: NewApp, actor: Actor, show?: Show<AppRecord>): Promise<AppRecord> {
    return this.makeApp(
      app,
      (id) => this.documents.create(id),
      (change) => this.log.change(actor, async (db) => this.appLine(await change(db)), show),
    )
  }

  async createAppFrom(
    { documents, keys, isAutoIndexOn, settings, ...app }: RestoredApp,
    actor: Actor,
  ): Promise<{ app: AppRecord; keys: RestoredKeys }> {
    const bounds = { now: this.now(), most: this.limits.keys }
    refuseManyComingKeys(keys.length, app.owner, bounds.most)
    return this.makeApp(
      app,
      (id) => this.documents.adopt(id, documents),
      (change) =>
        this.log.change(actor, async (db) => {
          const made = await change(db, restoredText(settings))
          const restored = await insertRestoredKeys(db, { keys, owner: app.owner, bounds })
          if (!isAutoIndexOn) await writeAutoIndex(db, { app: made.id, isOn: false })
          const { result: _, ...line } = this.appLine(made)
          const details = { fromBackup: true, keys: countsOf(restored) }
          return { ...line, result: { app: made, keys: restored }, details }
        }),
    )
  }

  /** @param change is given what makes the app as a part of a transaction */
  private async makeApp<Result>(
    { slug, owner }: NewApp,
    putDocuments: (id: string) => void | Promise<void>,
    change: (make: (db: Kysely<Tables>, settings?: string) => Promise<AppRecord>) => Promise<Result>,
  ): Promise<Result> {
    const app = { id: ulid(this.now()), slug, owner, createdAt: this.now() }
    const wanted = { slug, owner, most: this.limits.apps }
    await this.removeExpired()
    await this.log.read((db) => refuseNewApp(db, wanted))
    try {
      await this.log.read(async () => putDocuments(app.id))
      return await change(async (db, settings) => {
        // Another process may have made one in between.
        await refuseNewApp(db, wanted)
        return insertApp(db, { ...app, settings })
      })
    } catch (error) {
      await this.documents.remove(app.id)
      throw error
    }
  }

  private appLine(app: AppRecord): Change<AppRecord> {
    return { result: app, action: 'app.create', subject: app.slug, app: app.id, isOfDirectory: true }
  }

  async deleteApp(address: AppAddress, actor: Actor): Promise<DeletedApp> {
    const deleted = await this.log.change(actor, async (db) => {
      const app = await appAt(db, address)
      const result = await markDeleted(db, app, this.now())
      return { result, action: 'app.delete', subject: app.slug, app: app.id, isOfDirectory: true }
    })
    await this.removeExpired()
    return deleted
  }

  listDeletedApps(): Promise<DeletedApp[]> {
    return this.log.read((db) => selectDeletedApps(db, this.now()))
  }

  restoreApp(app: AppAddress, actor: Actor): Promise<AppRecord> {
    return this.log.change(actor, async (db) => {
      const result = await restoreApp(db, app, this.now())
      return { result, action: 'app.restore', subject: result.slug, app: result.id, isOfDirectory: true }
    })
  }

  async removeApp(app: AppAddress, actor: Actor): Promise<void> {
    await this.log.change(actor, async (db) => {
      const { id, slug } = await anyAppAt(db, app)
      await removeApp(db, id)
      return { result: undefined, action: 'app.remove', subject: slug, app: id, isOfDirectory: true }
    })
    await this.removeDocuments()
  }

  setAutoIndex({ app: address, isOn }: { app: AppAddress; isOn: boolean }, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { id, slug } = await appAt(db, address)
      await writeAutoIndex(db, { app: id, isOn })
      return {
        ...{ result: undefined, action: 'app.update', subject: slug, app: id },
        details: { autoIndex: isOn },
      }
    })
  }

  hasAutoIndex(app: string): Promise<boolean> {
    return this.log.read((db) => readAutoIndex(db, app))
  }

  updateAppSettings(change: AppSettingsChange, actor: Actor): Promise<AppRecord> {
    return this.log.change(actor, (db) => updateSettings(db, change))
  }

  listKeys(filter?: { owner: string | null }): Promise<KeyRecord[]> {
    return this.log.snapshot((db) => selectKeys(db, filter))
  }

  createKey(key: NewKey, actor: Actor, show?: Show<KeyRecord>): Promise<KeyRecord> {
    const bounds = { now: this.now(), most: this.limits.keys }
    const make = async (db: Kysely<Tables>): Promise<Change<KeyRecord>> => ({
      result: await insertKey(db, key, bounds),
      action: 'key.create',
      subject: key.name,
      details: auditedRules(key.rules),
      isOfDirectory: true,
    })
    return this.log.change(actor, make, show)
  }

  updateKey(change: KeyUpdate, actor: Actor): Promise<KeyRecord> {
    return this.log.change(actor, async (db) => ({
      result: await updateRules(db, change),
      action: 'key.update',
      subject: change.name,
      details: auditedRules(change.rules),
      isOfDirectory: true,
    }))
  }

  rotateKey(rotation: KeyRotation, actor: Actor, show?: Show<KeyRecord>): Promise<KeyRecord> {
    const now = this.now()
    const make = async (db: Kysely<Tables>): Promise<Change<KeyRecord>> => ({
      result: await addSecret(db, rotation, now),
      action: 'key.rotate',
      subject: rotation.name,
      details: { oldUntil: rotation.oldUntil },
      isOfDirectory: true,
    })
    return this.log.change(actor, make, show)
  }

  endKeyTokens(key: ExistingKey, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      await raiseTokenGeneration(db, key)
      return { result: undefined, action: 'key.end-tokens', subject: key.name, isOfDirectory: true }
    })
  }

  endAppTokens(address: AppAddress, actor: Actor): Promise<number> {
    return this.log.change(actor, async (db) => {
      const app = await appAt(db, address)
      const result = await raiseTokenGenerations(db, app)
      const change = { action: 'app.end-tokens', subject: app.slug, app: app.id, isOfDirectory: true }
      return { result, details: { keys: result }, ...change }
    })
  }

  revokeKey(key: ExistingKey, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      await deleteKey(db, key)
      return { result: undefined, action: 'key.revoke', subject: key.name, isOfDirectory: true }
    })
  }

  touchKeys(uses: ReadonlyMap<string, number>): Promise<void> {
    return this.log.write((db) => updateLastUses(db, uses))
  }

  rotateTokenSecret({ oldUntil }: { oldUntil: number }, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      await endTokenSecrets(db, { until: oldUntil, now: this.now() })
      const subject = await insertTokenSecret(db)
      const change = { action: 'token.rotate-secret', subject, details: { oldUntil }, isOfDirectory: true }
      return { result: undefined, ...change }
    })
  }

  readDirectory(): Promise<Directory> {
    return this.log.snapshot(selectDirectory)
  }

  listAudit(filter: AuditFilter): Promise<AuditEntry[]> {
    return this.log.read((db) => selectAuditEntries(db, filter))
  }

  async tidy(): Promise<void> {
    await this.log.write(async (db) => {
      await deleteEndedSecrets(db, this.now())
      await deleteEndedTokenSecrets(db, this.now())
      await deleteEndedSessions(db, this.now())
      await ensureTokenSecret(db)
      await removeExpiredApps(db, this.now())
    })
    await this.removeDocuments()
  }

  /** Makes room where deleted apps can be restored no more. */
  private async removeExpired(): Promise<void> {
    const isAny = await this.log.write((db) => removeExpiredApps(db, this.now()))
    if (isAny) await this.removeDocuments()
  }

  /** Removes the documents of deleted apps. */
  protected async removeDocuments(): Promise<void> {
    await this.log.read(async (db) => {
      for (const id of await selectRemovedApps(db)) {
        await this.documents.remove(id)
        await forgetRemovedApp(db, id)
      }
    })
  }
}
