import type { MessagePort } from 'node:worker_threads'
import type { TrafficDelta } from '../analytics/traffic-delta.ts'
import type { QuotaMemory } from '../credentials/quota-uses.ts'
import type { AccountCall } from '../dashboard-api/account-service.ts'
import type { Alert, AlertCondition } from '../domain/alerts.ts'
import type { IdentityProviderSettings } from '../domain/identity-provider.ts'
import type { Limits } from '../domain/limits.ts'
import type { MailServer } from '../domain/mail.ts'
import type { CertificateFacts, ProcessFacts } from '../domain/server-facts.ts'
import type { BackupSchedule } from '../storage/backup-store.ts'
import type { Failure } from '../storage/sqlite/protocol/failures.ts'

/** What the thread of accounts is started with. */
export interface AccountsThreadSettings {
  readonly dataDir: string
  readonly limits: Limits
  /** For links; see `AccountsContext`. */
  readonly origin: string
  readonly sitesDomain: string | undefined
  /** Hosts that the server has beside the names of its certificate. */
  readonly ownHosts: ReadonlySet<string>
  readonly isSignupOpen: boolean
  /** Undefined where no mail is sent. */
  readonly mail?: MailServer | undefined
  readonly identityProvider?: IdentityProviderSettings | undefined
  /** Memory for pages of files while an index is filled; without it as much as is of use. */
  readonly pageBytes?: number | undefined
  readonly backups: BackupSchedule | undefined
  /** See `AlertService`. */
  readonly webhookHosts: readonly string[]
  /** See `AccountsContext`, both. */
  readonly slowMs: number
  readonly isAutoIndexOn: boolean
  /** What accounts use of their quotas. */
  readonly quotaUses: QuotaMemory
  /** But for the memory that is used, which changes. */
  readonly process: Omit<ProcessFacts, 'memory'> & { readonly memoryBytes: number }
}

/** To add what was counted of requests to what is kept, to note that there, and to report that it is done. */
export interface AddTrafficRequest {
  readonly ask: 'add-traffic'
  readonly id: number
  readonly delta: TrafficDelta
  readonly note: string
}

/** What the thread that started it asks of it. */
export type AccountsThreadRequest =
  /** A port at which a thread that serves HTTP makes its calls. */
  | { readonly ask: 'serve'; readonly port: MessagePort }
  /** To tell operators of these certificates from then on. */
  | { readonly ask: 'note-certificates'; readonly certificates: readonly CertificateFacts[] }
  /** To write down alerts that were raised or ended, and to tell of them; of none, to go on with what was not told yet. */
  | { readonly ask: 'note-alerts'; readonly alerts: readonly Alert[] }
  /** To remove what has ended. */
  | { readonly ask: 'tidy' }
  /** To make a backup where the schedule says that one is due. */
  | { readonly ask: 'back-up' }
  | AddTrafficRequest
  /** To end when what it has begun is done. */
  | { readonly ask: 'close' }

/** What it tells of what was asked for, of that failed where nobody waits for an answer, and of the backups. */
export type AccountsThreadReport =
  | { readonly addedTraffic: number; readonly failure?: Failure }
  | { readonly failed: 'work' | 'backup'; readonly failure: Failure }
  /** What an operator has to know, in a line. */
  | { readonly failed: 'sign-in' | 'mail' | 'site' | 'webhook'; readonly line: string }
  | { readonly backups: readonly AlertCondition[] }

/** On such a port: calls by numbers of the caller's, and what came of each. */
export type AccountCallMessage = readonly [id: number, call: AccountCall]
export type AccountResultMessage = readonly [id: number, result: unknown, failure?: Failure]
