import type { Kysely } from 'kysely'
import { foldEmail } from '../../domain/accounts.ts'
import { AppError } from '../../errors.ts'
import type { AppAddress } from '../account-changes.ts'
import type { CollectionNote, IndexNote } from '../account-notes.ts'
import type {
  AccountApp,
  AccountChange,
  AccountCredentials,
  AccountFilter,
  AccountRecord,
  AppShare,
  DeletedApp,
  Link,
  NewAccount,
  OpenWaysIn,
  ShareRole,
  WaysIn,
} from '../account-records.ts'
import type { AccountStore, Actor } from '../account-store.ts'
import type { SettingName } from '../setting-names.ts'
import type { AccountDatabase } from './account-database.ts'
import {
  type AccountBy,
  changeAccount,
  countAccounts,
  insertAccount,
  requireAccount,
  requireCredentials,
  selectAccount,
  selectAccounts,
  selectCredentials,
  selectPreferences,
} from './accounts.ts'
import type { AccountStoreParts } from './app-store.ts'
import { appAt } from './apps.ts'
import type { AuditedChange } from './audit.ts'
import { type DeletedAccount, deleteAccount } from './delete-account.ts'
import { selectDeletedAppsOf } from './deleted-apps.ts'
import { insertIdentity } from './identities.ts'
import { KyselyAlertStore } from './kysely-alert-store.ts'
import { insertLink, invalidLink, selectLink, takeLink } from './links.ts'
import { deleteSessions } from './sessions.ts'
import { selectSetting, upsertSetting } from './settings.ts'
import { selectAppsOf, selectShares, writeShare } from './shares.ts'
import type { Tables } from './tables.ts'
import { deleteWaysIn, refuseLastWayIn, selectWaysIn } from './ways-in.ts'

/** Accounts over a query builder, for every database. */
export class KyselyAccountStore extends KyselyAlertStore implements AccountStore {
  private readonly database: AccountDatabase

  constructor(parts: AccountStoreParts) {
    super(parts)
    this.database = parts.database
  }

  listAppsOf(account: string): Promise<AccountApp[]> {
    return this.log.read((db) => selectAppsOf(db, account))
  }

  async findAppOf({ account, slug }: { account: string; slug: string }): Promise<AccountApp | undefined> {
    return (await this.log.read((db) => selectAppsOf(db, account, slug)))[0]
  }

  listDeletedAppsOf(account: string): Promise<DeletedApp[]> {
    return this.log.read((db) => selectDeletedAppsOf(db, account, this.now()))
  }

  listShares(app: AppAddress): Promise<AppShare[]> {
    return this.log.read(async (db) => selectShares(db, (await appAt(db, app)).id))
  }

  setShare(
    { app: address, account, role }: { app: AppAddress; account: string; role: ShareRole | null },
    actor: Actor,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { id: app, slug } = await appAt(db, address)
      const { email } = await requireAccount(db, account)
      await writeShare(db, { app, account, role })
      return { result: undefined, action: 'app.share', subject: slug, app, details: { email, role } }
    })
  }

  noteIndex({ action, app, collection, fields, isUnique }: IndexNote, actor: Actor): Promise<void> {
    const details = { fields, ...(isUnique === true && { unique: true }) }
    return this.note({ action, subject: collection, app, details }, actor)
  }

  noteCollection({ action, app, collection, ...details }: CollectionNote, actor: Actor): Promise<void> {
    return this.note({ action, subject: collection, app, details }, actor)
  }

  countAccounts(): Promise<number> {
    return this.log.read(countAccounts)
  }

  listAccounts(filter?: AccountFilter): Promise<AccountRecord[]> {
    return this.log.read((db) => selectAccounts(db, filter))
  }

  findAccount(by: AccountBy): Promise<AccountRecord | undefined> {
    return this.log.read((db) => selectAccount(db, by))
  }

  findCredentials(by: AccountBy): Promise<AccountCredentials | undefined> {
    return this.log.read((db) => selectCredentials(db, by))
  }

  createAccount(account: NewAccount & { isOperator: boolean }, actor: Actor): Promise<AccountRecord> {
    return this.log.change(actor, async (db) => {
      const result = await this.insertAccount(db, account)
      return { result, ...createdLine(result) }
    })
  }

  signUp({ account, address }: { account: NewAccount; address: string }): Promise<AccountRecord> {
    return this.byGuest(address, async (db) => {
      if ((await countAccounts(db)) === 0)
        throw new AppError(
          'permission_denied',
          'the first account takes the setup link that the server shows',
        )
      const made = await this.insertAccount(db, { ...account, isOperator: false })
      return { account: made, ...createdLine(made) }
    })
  }

  updateAccount(
    { id, keepSession, checked, ...change }: { id: string; keepSession?: string } & AccountChange,
    actor: Actor,
  ): Promise<AccountRecord> {
    return this.log.change(actor, async (db) => {
      if (checked !== undefined) await requireCredentials(db, id, checked)
      const result = await changeAccount(db, id, change)
      if (change.password !== undefined)
        await deleteSessions(db, { account: id, ...(keepSession !== undefined && { keepSession }) })
      const { password, ...shown } = change
      const details = { ...shown, ...(password !== undefined && { password: true }) }
      return { result, action: 'account.update', subject: result.email, details }
    })
  }

  findWaysIn({ account, open }: { account: string; open: OpenWaysIn }): Promise<WaysIn> {
    return this.log.read((db) => selectWaysIn(db, account, open))
  }

  removePassword(
    { id, open, keepSession }: { id: string; open: OpenWaysIn; keepSession?: string },
    actor: Actor,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { email } = await requireAccount(db, id)
      await db.updateTable('accounts').set({ password: '' }).where('id', '=', id).execute()
      await refuseLastWayIn(db, id, open)
      await db.deleteFrom('links').where('account', '=', id).execute()
      await deleteSessions(db, { account: id, ...(keepSession !== undefined && { keepSession }) })
      return { result: undefined, action: 'account.update', subject: email, details: { password: false } }
    })
  }

  resetWaysIn(
    { account, ...link }: { account: string; hash: string; until: number },
    actor: Actor,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { email } = await requireAccount(db, account)
      const details = await deleteWaysIn(db, account)
      await insertLink(db, { purpose: 'reset', account, ...link }, this.now())
      return { result: undefined, action: 'account.reset-ways-in', subject: email, details }
    })
  }

  rehashPassword({ id, from, to }: { id: string; from: string; to: string }): Promise<void> {
    return this.log.write(async (db) => {
      const account = db.updateTable('accounts').set({ password: to }).where('id', '=', id)
      await account.where('password', '=', from).execute()
    })
  }

  async deleteAccount(deletion: { id: string; apps: 'delete' | 'operator' }, actor: Actor): Promise<void> {
    await this.log.change(actor, async (db) => {
      const result: DeletedAccount = await deleteAccount(db, deletion)
      const details = { [deletion.apps === 'delete' ? 'deletedApps' : 'operatorsApps']: result.apps }
      const subject = result.account.email
      return { result, action: 'account.delete', subject, details, isOfDirectory: true }
    })
    await this.removeDocuments()
  }

  getPreferences(account: string): Promise<string> {
    return this.log.read((db) => selectPreferences(db, account))
  }

  putPreferences({ account, preferences }: { account: string; preferences: string }): Promise<void> {
    return this.log.write(async (db) => {
      await requireAccount(db, account)
      await db.updateTable('accounts').set({ preferences }).where('id', '=', account).execute()
    })
  }

  createLink(link: Link, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      await insertLink(db, link, this.now())
      const { hash: _, purpose, ...details } = link
      return { result: undefined, action: 'link.create', subject: purpose, details }
    })
  }

  findLink(hash: string): Promise<Link | undefined> {
    return this.log.read((db) => selectLink(db, hash, this.now()))
  }

  useLinkForAccount(use: { hash: string; account: NewAccount; address: string }): Promise<AccountRecord> {
    return this.byGuest(use.address, async (db) => {
      const link = await takeLink(db, use.hash, this.now())
      const { email } = use.account
      // The first account is made once, whoever has an old link.
      if (link.purpose === 'reset' || (link.purpose === 'setup' && (await countAccounts(db)) > 0))
        throw invalidLink()
      if (link.purpose === 'invite' && link.email !== null && foldEmail(link.email) !== foldEmail(email))
        throw invalidLink()
      const isOperator = link.purpose === 'setup' || link.isOperator
      const account = await this.insertAccount(db, { ...use.account, isOperator })
      return { account, ...createdLine(account) }
    })
  }

  useLinkForPassword(use: { hash: string; password: string; address: string }): Promise<AccountRecord> {
    return this.byGuest(use.address, async (db) => {
      const link = await takeLink(db, use.hash, this.now())
      if (link.purpose !== 'reset') throw invalidLink()
      const account = await changeAccount(db, link.account, { password: use.password })
      await deleteSessions(db, { account: account.id })
      return { account, action: 'account.update', details: { password: true, link: 'reset' } }
    })
  }

  setting(name: string): Promise<string | undefined> {
    return this.log.read((db) => selectSetting(db, name))
  }

  putSetting(name: SettingName, value: string): Promise<void> {
    return this.log.read((db) => upsertSetting(db, name, value))
  }

  async close(): Promise<void> {
    await this.database.close()
  }

  private async insertAccount(
    db: Kysely<Tables>,
    { identity, ...account }: NewAccount & { isOperator: boolean },
  ): Promise<AccountRecord> {
    const made = await insertAccount(db, account, this.now())
    if (identity !== undefined) await insertIdentity(db, { account: made.id, identity }, this.now())
    return made
  }

  /** Of what was done elsewhere, also where the session has ended since. */
  private note(line: AuditedChange, actor: Actor): Promise<void> {
    return this.log.write((db) => this.log.note(db, line, actor))
  }

  /** What nobody who is signed in does: the account that comes of it is who did it. */
  private byGuest(
    address: string,
    work: (db: Kysely<Tables>) => Promise<{ account: AccountRecord; action: string; details: object }>,
  ): Promise<AccountRecord> {
    return this.log.write(async (db) => {
      const { account, ...line } = await work(db)
      const actor = { account: account.id, name: account.email, address }
      await this.log.note(db, { ...line, subject: account.email }, actor)
      return account
    })
  }
}

function createdLine(account: AccountRecord): { action: string; subject: string; details: object } {
  return { action: 'account.create', subject: account.email, details: { isOperator: account.isOperator } }
}
