import type { Kysely } from 'kysely'
import type {
  AccountIdentity,
  AccountRecord,
  AccountToken,
  Identity,
  NewAccountToken,
  NewIdentity,
  NewPasskey,
  NewSession,
  OpenWaysIn,
  PasskeyRecord,
  PasskeyUse,
  SessionRecord,
  StoredPasskey,
} from '../account-records.ts'
import type { AccountActor, Actor } from '../account-store.ts'
import * as tokens from './account-tokens.ts'
import { requireAccount, requireCredentials } from './accounts.ts'
import * as identities from './identities.ts'
import { isKnownAddress, type KnownAddress, upsertAddress } from './known-addresses.ts'
import { KyselyQuotaStore } from './kysely-quota-store.ts'
import * as passkeys from './passkeys.ts'
import * as secondFactor from './second-factor.ts'
import * as sessions from './sessions.ts'
import type { Tables } from './tables.ts'
import { refuseLastWayIn } from './ways-in.ts'

/** Whose sessions end, but for one. */
interface SessionsOf {
  readonly account: string
  readonly keepSession?: string
}

/** How an account gets in: second factor, identities, passkeys, sessions, tokens. */
export class KyselySignInStore extends KyselyQuotaStore {
  enableTotp(
    totp: SessionsOf & { secret: Uint8Array; step: number; recoveryHashes: readonly string[] },
    actor: Actor,
  ): Promise<void> {
    return this.changeSecondFactor('account.enable-totp', totp, actor, async (db) => {
      await secondFactor.writeTotp(db, totp)
      await secondFactor.replaceRecoveryCodes(db, totp.account, totp.recoveryHashes)
    })
  }

  disableTotp(change: SessionsOf, actor: Actor): Promise<void> {
    return this.changeSecondFactor('account.disable-totp', change, actor, async (db) => {
      await secondFactor.writeTotp(db, { account: change.account, secret: null, step: null })
      await secondFactor.replaceRecoveryCodes(db, change.account, [])
    })
  }

  useTotpStep(use: { account: string; step: number }): Promise<boolean> {
    return this.log.read((db) => secondFactor.useTotpStep(db, use))
  }

  useRecoveryCode(use: { account: string; hash: string }): Promise<boolean> {
    return this.log.read((db) => secondFactor.useRecoveryCode(db, use))
  }

  replaceRecoveryCodes(
    { account, hashes }: { account: string; hashes: readonly string[] },
    actor: Actor,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { email } = await requireAccount(db, account)
      await secondFactor.replaceRecoveryCodes(db, account, hashes)
      return { result: undefined, action: 'account.recovery-codes', subject: email }
    })
  }

  createSession(session: NewSession): Promise<SessionRecord> {
    return this.log.write(async (db) => {
      if (session.checked !== undefined) await requireCredentials(db, session.account, session.checked)
      const { id, email } = await requireAccount(db, session.account)
      const { identity, passkey } = session
      if (identity !== undefined) await identities.useIdentity(db, { account: id, identity }, this.now())
      if (passkey !== undefined) await passkeys.usePasskey(db, { ...passkey, account: id }, this.now())
      const actor = { account: id, name: email, address: session.address }
      const line = { action: 'session.begin', subject: email, details: { way: session.way } }
      await this.log.note(db, line, actor)
      return sessions.insertSession(db, session, this.now())
    })
  }

  findSession(hash: string): Promise<{ session: SessionRecord; account: AccountRecord } | undefined> {
    return this.log.read((db) => sessions.selectSession(db, hash, this.now()))
  }

  listSessions(account: string): Promise<SessionRecord[]> {
    return this.log.read((db) => sessions.selectSessions(db, account, this.now()))
  }

  touchSession(touch: { id: string; isAuthenticated?: boolean }): Promise<void> {
    return this.log.read((db) => sessions.touchSession(db, touch, this.now()))
  }

  async endSession({ account, id }: { account: string; id: string }, actor: AccountActor): Promise<boolean> {
    return (await this.endSome(account, actor, (db) => sessions.deleteSession(db, { account, id }))) > 0
  }

  endSessions(which: SessionsOf, actor: AccountActor): Promise<number> {
    return this.endSome(which.account, actor, (db) => sessions.deleteSessions(db, which))
  }

  listPasskeys(account: string): Promise<PasskeyRecord[]> {
    return this.log.read((db) => passkeys.selectPasskeys(db, account))
  }

  findPasskey(id: string): Promise<{ passkey: StoredPasskey; account: AccountRecord } | undefined> {
    return this.log.read((db) => passkeys.selectPasskey(db, id))
  }

  createPasskey(passkey: NewPasskey, actor: Actor): Promise<PasskeyRecord> {
    return this.log.change(actor, async (db) => {
      await requireAccount(db, passkey.account)
      const result = await passkeys.insertPasskey(db, passkey, this.now())
      return { result, action: 'passkey.create', subject: passkey.name }
    })
  }

  usePasskey(use: PasskeyUse & { account: string }): Promise<void> {
    return this.log.read((db) => passkeys.usePasskey(db, use, this.now()))
  }

  renamePasskey(
    change: passkeys.PasskeyAddress & { readonly name: string },
    actor: Actor,
  ): Promise<PasskeyRecord> {
    return this.log.change(actor, async (db) => {
      const result = await passkeys.renamePasskey(db, change)
      return { result, action: 'passkey.update', subject: change.name }
    })
  }

  deletePasskey(
    { open, ...which }: passkeys.PasskeyAddress & SessionsOf & { open: OpenWaysIn },
    actor: Actor,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const subject = await passkeys.deletePasskey(db, which)
      await refuseLastWayIn(db, which.account, open)
      await sessions.deleteSessions(db, which)
      return { result: undefined, action: 'passkey.delete', subject }
    })
  }

  createToken(token: NewAccountToken, actor: Actor): Promise<AccountToken> {
    return this.log.change(actor, async (db) => {
      await requireAccount(db, token.account)
      const result = await tokens.insertToken(db, token, this.now())
      const details = { permissions: token.permissions, expiresAt: token.expiresAt }
      return { result, action: 'account-token.create', subject: token.name, details }
    })
  }

  findToken(hash: string): Promise<{ token: AccountToken; account: AccountRecord } | undefined> {
    return this.log.read((db) => tokens.selectToken(db, hash, this.now()))
  }

  listTokens(account: string): Promise<AccountToken[]> {
    return this.log.read((db) => tokens.selectTokens(db, account))
  }

  touchToken(id: string): Promise<void> {
    return this.log.read((db) => tokens.touchToken(db, id, this.now()))
  }

  deleteToken(token: { account: string; id: string }, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => ({
      result: undefined,
      action: 'account-token.delete',
      subject: await tokens.deleteToken(db, token),
    }))
  }

  findIdentity(identity: Identity): Promise<AccountRecord | undefined> {
    return this.log.read((db) => identities.selectIdentityAccount(db, identity))
  }

  listIdentities(account: string): Promise<AccountIdentity[]> {
    return this.log.read((db) => identities.selectIdentities(db, account))
  }

  connectIdentity(
    { account, identity }: { account: string; identity: NewIdentity },
    actor: Actor,
  ): Promise<AccountIdentity> {
    return this.log.change(actor, async (db) => {
      const { email: subject } = await requireAccount(db, account)
      const result = await identities.insertIdentity(db, { account, identity }, this.now())
      return { result, action: 'identity.connect', subject, details: detailsOf(identity) }
    })
  }

  disconnectIdentity(
    { id, open, ...which }: SessionsOf & { id: string; open: OpenWaysIn },
    actor: Actor,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { account } = which
      const { email: subject } = await requireAccount(db, account)
      const identity = await identities.deleteIdentity(db, { account, id })
      await refuseLastWayIn(db, account, open)
      await sessions.deleteSessions(db, which)
      return { result: undefined, action: 'identity.disconnect', subject, details: detailsOf(identity) }
    })
  }

  noteAddress(known: KnownAddress): Promise<void> {
    return this.log.write(async (db) => {
      await requireAccount(db, known.account)
      await upsertAddress(db, known, this.now())
    })
  }

  isKnownAddress(known: KnownAddress): Promise<boolean> {
    return this.log.read((db) => isKnownAddress(db, known))
  }

  /** With one line for however many, and none where there were none. */
  private endSome(
    account: string,
    actor: AccountActor,
    end: (db: Kysely<Tables>) => Promise<number>,
  ): Promise<number> {
    return this.log.write(async (db) => {
      const ended = await end(db)
      if (ended === 0) return ended
      const { email } = await requireAccount(db, account)
      await this.log.note(db, { action: 'session.end', subject: email, details: { ended } }, actor)
      return ended
    })
  }

  private changeSecondFactor(
    action: string,
    which: SessionsOf,
    actor: Actor,
    work: (db: Kysely<Tables>) => Promise<void>,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { email } = await requireAccount(db, which.account)
      await work(db)
      await sessions.deleteSessions(db, which)
      return { result: undefined, action, subject: email }
    })
  }
}

function detailsOf({ issuer, email }: NewIdentity): object {
  return { issuer, ...(email !== '' && { email }) }
}
