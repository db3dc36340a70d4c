import { actorOf, requireOperator, requireRecentPassword } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { requireWebhook } from './require-webhook.ts'

/** Has alerts told nowhere, and drops what waits. @throws AppError `permission_denied`, `password_required`, `webhook_off` */
export async function deleteAlertWebhook(
  { accounts, alerts, now }: Pick<AccountsContext, 'accounts' | 'alerts' | 'now'>,
  caller: Caller,
): Promise<void> {
  requireOperator(caller)
  requireRecentPassword({ now }, caller)
  const { url } = await requireWebhook({ accounts })
  const subject = new URL(url).origin
  await accounts.changeWebhook({ action: 'webhook.delete', subject, text: null }, actorOf(caller))
  await alerts.queue.clear()
}
