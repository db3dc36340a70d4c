import type { Alert } from '../../domain/alerts.ts'
import type { Actor } from '../account-store.ts'
import { type AlertStore, WEBHOOK_SETTING, type WebhookChange } from '../alert-store.ts'
import { selectAlerts, upsertAlerts } from './alerts.ts'
import { deleteSetting, upsertSetting } from './settings.ts'
import { KyselySignInStore } from './sign-in-store.ts'

/** Alerts over a query builder, for every database. */
export class KyselyAlertStore extends KyselySignInStore implements AlertStore {
  putAlerts(alerts: readonly Alert[]): Promise<void> {
    return this.log.write((db) => upsertAlerts(db, alerts))
  }

  listAlerts(): Promise<Alert[]> {
    return this.log.read(selectAlerts)
  }

  changeWebhook({ text, action, subject }: WebhookChange, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      if (text === null) await deleteSetting(db, WEBHOOK_SETTING)
      else await upsertSetting(db, WEBHOOK_SETTING, text)
      return { result: undefined, action, subject }
    })
  }
}
