import { type Webhook, webhookFrom } from '../alerts/webhook.ts'
import { AppError } from '../errors.ts'
import { WEBHOOK_SETTING } from '../storage/alert-store.ts'
import type { AccountsContext } from './context.ts'

/** @throws AppError `webhook_off` */
export async function requireWebhook({ accounts }: Pick<AccountsContext, 'accounts'>): Promise<Webhook> {
  const webhook = webhookFrom(await accounts.setting(WEBHOOK_SETTING))
  if (webhook !== undefined) return webhook
  throw new AppError('webhook_off', 'alerts have no webhook; PUT /server/alert-webhook gives them one')
}
