import type { AlertService } from '../alerts/alert-service.ts'
import type { BodyContext } from '../body/request-body.ts'
import type { IdentityProvider } from '../credentials/identity-provider.ts'
import type { Passkeys } from '../credentials/passkeys.ts'
import type { Passwords } from '../credentials/password.ts'
import type { QuotaUses } from '../credentials/quota-uses.ts'
import type { LimitResets } from '../credentials/reset-limits.ts'
import type { SignInLimits } from '../credentials/sign-in-limits.ts'
import type { Limits } from '../domain/limits.ts'
import { collectionName } from '../domain/names.ts'
import type { Conditions } from '../domain/precondition.ts'
import type { ServerFacts } from '../domain/server-facts.ts'
import { AppError } from '../errors.ts'
import type { ImportThreads } from '../import/import-threads.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { QueryStatsStore } from '../query-stats/stats-snapshot.ts'
import type { SiteDomains } from '../sites/site-domains.ts'
import type { SiteService } from '../sites/site-service.ts'
import type { AccountRecord, AccountToken, SessionRecord } from '../storage/account-records.ts'
import type { AccountStore, Actor, AppStore } from '../storage/account-store.ts'
import type { BackupService } from '../storage/backup-store.ts'
import type { IndexRegistry } from '../storage/index-jobs.ts'
import type { IndexStore } from '../storage/index-store.ts'
import type { CollectionAddress, Directory, DocumentStore } from '../storage/store.ts'
import type { Admission } from './create-admission.ts'
import type { QuotaGuard } from './hold-to-quotas.ts'
import type { SiteAddresses } from './site-origins.ts'

export type { Body, BodyFormat } from '../body/request-body.ts'

/** What every operation on documents works with. One is made for the whole process; the rest is arguments. */
export interface OperationContext extends BodyContext, Admission, QuotaGuard {
  readonly store: DocumentStore
  /** Reads files that are imported. */
  readonly imports: ImportThreads
  /** The apps and keys as they are at this moment. */
  readonly directory: () => Directory
}

/** A collection as a client names it: the app's slug and the collection's name, both decoded. */
export interface CollectionInput {
  readonly app: string
  readonly collection: string
}

/** What a write of one document may be asked beside what it does. */
export interface ConditionalInput {
  readonly conditions?: Conditions | undefined
}

/** What a write returns: the whole documents, or no more than their ids. */
export type WriteReturn = 'documents' | 'ids'

/** What every operation that changes accounts works with. */
export interface OwnerContext {
  readonly control: AccountStore
  /** Who is doing it, for the audit trail. */
  readonly actor: Actor
  /** Whose apps and keys these are: an account, by its id, or null for the operator. */
  readonly owner: string | null
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** What every operation on indexes works with. */
export interface IndexContext {
  readonly control: AppStore
  readonly indexes: IndexStore
  /** What the server has seen of the reads. */
  readonly stats: QueryStatsStore
  readonly limits: Limits
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** What every operation on accounts works with. One is made for the whole process, for it counts and bounds what all do. */
export interface AccountsContext {
  readonly accounts: AccountStore
  readonly passwords: Passwords
  /** Undefined where the server is reached by an IP address, which browsers have none for. */
  readonly passkeys: Passkeys | undefined
  readonly signInLimits: SignInLimits
  /** How often links for another password may be asked for from one place. */
  readonly limitResets: LimitResets
  /** Undefined where the server sends no mail. */
  readonly mail?: MailService | undefined
  /** Of the dashboard, such as `https://db.example.org`, for links; never from a request. */
  readonly origin: string
  readonly sites: SiteAddresses
  /** Whether anybody may make an account. */
  readonly isSignupOpen: boolean
  /** Where accounts are signed in to by an OpenID provider, too. */
  readonly identityProvider?: IdentityProvider | undefined
  readonly server: ServerFacts
  readonly alerts: AlertService
  readonly indexes: IndexRegistry
  /** What the server has seen of the reads. */
  readonly queryStats: QueryStatsStore
  /** Reads that take as long or longer are counted as slow. */
  readonly slowMs: number
  /** Whether the server makes indexes without being asked for them. */
  readonly isAutoIndexOn: boolean
  readonly backups: BackupService
  readonly siteDomains: SiteDomains
  readonly siteFiles: SiteService
  /** Why an app, by its slug, can have no site below the sites' domain, in words that go behind a colon. */
  readonly siteProblem: (slug: string) => string | undefined
  /** What accounts use of what they may have. */
  readonly quotaUses: QuotaUses
  readonly limits: Limits
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** Who asks for something that is done in an account: whoever runs a command on the data folder, or an account. */
export type Caller = CommandLineCaller | AccountCaller

export interface CommandLineCaller {
  readonly kind: 'command-line'
  /** For the audit trail, such as `cli:ada`. */
  readonly actor: string
}

export interface AccountCaller {
  readonly kind: 'account'
  readonly account: AccountRecord
  /** Where the request comes from. */
  readonly address: string
  /** What let it in: one of these. */
  readonly session?: SessionRecord
  readonly token?: AccountToken
}

/** A collection as an operator names it. */
export interface IndexedCollection {
  /** The app's slug. */
  readonly app: string
  readonly collection: string
}

/** @throws AppError `app_not_found`, `invalid_name` */
export async function addressOf(
  context: IndexContext,
  { app, collection }: IndexedCollection,
): Promise<CollectionAddress> {
  return { app: await appIdOf(context, app), collection: collectionName(collection) }
}

/** @throws AppError `app_not_found` */
export async function appIdOf({ control }: IndexContext, slug: string): Promise<string> {
  const app = (await control.listApps()).find((each) => each.slug === slug)
  if (app === undefined) throw new AppError('app_not_found', `there is no app ${JSON.stringify(slug)}`)
  return app.id
}
