import { webhookFrom } from '../alerts/webhook.ts'
import { isoTime } from '../domain/iso-time.ts'
import { WEBHOOK_SETTING } from '../storage/alert-store.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

export interface DescribedWebhook {
  readonly url: string
  readonly madeAt: string
  /** Messages that wait to be sent, or to be sent again. */
  readonly pending: number
  /** What came of the last attempt; `problem` is null where the message was taken. */
  readonly last: { readonly at: string; readonly problem: string | null } | null
}

/** Where alerts are told, without the secret; null where they are told nowhere. @throws AppError `permission_denied` */
export async function describeAlertWebhook(
  { accounts, alerts }: Pick<AccountsContext, 'accounts' | 'alerts'>,
  caller: Caller,
): Promise<DescribedWebhook | null> {
  requireOperator(caller)
  const webhook = webhookFrom(await accounts.setting(WEBHOOK_SETTING))
  if (webhook === undefined) return null
  const { pending, last } = await alerts.queue.state()
  return {
    url: webhook.url,
    madeAt: isoTime(webhook.madeAt),
    pending: pending.length,
    last: last && { ...last, at: isoTime(last.at) },
  }
}
