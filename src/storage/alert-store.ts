import type { Alert } from '../domain/alerts.ts'
import type { Actor } from './account-store.ts'

/** A webhook that is set, changed or taken away. */
export interface WebhookChange {
  readonly action: 'webhook.set' | 'webhook.delete'
  /** Where messages go, for the audit trail: an origin, for a path may be a secret. */
  readonly subject: string
  /** What is kept of it; null where it goes. */
  readonly text: string | null
}

/** What was wrong with the server, and where that is told. */
export interface AlertStore {
  /** Adds alerts, and ends those that are known by their ids. Of ended ones so many are kept (`KEPT_ALERTS`). */
  putAlerts(alerts: readonly Alert[]): Promise<void>
  /** Those that fire, then those that have ended, the newest first; of each so many at most (`TOLD_ALERTS`). */
  listAlerts(): Promise<Alert[]>
  /** What is kept under the name `alert_webhook`, with a line in the audit trail. */
  changeWebhook(change: WebhookChange, actor: Actor): Promise<void>
}

/** The setting that has where alerts are told. */
export const WEBHOOK_SETTING = 'alert_webhook'
