import { randomUUID } from 'node:crypto'
import { messageText } from '../alerts/alert-service.ts'
import { AppError } from '../errors.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { requireWebhook } from './require-webhook.ts'

/**
 * Sends a message that is about nothing, once, and waits until the webhook has taken it.
 * @throws AppError `permission_denied`, `webhook_off`, `webhook_failed`
 */
export async function testAlertWebhook(
  { accounts, alerts, origin, now }: Pick<AccountsContext, 'accounts' | 'alerts' | 'origin' | 'now'>,
  caller: Caller,
): Promise<{ readonly url: string }> {
  requireOperator(caller)
  const webhook = await requireWebhook({ accounts })
  const id = randomUUID()
  const body = messageText({
    ...{ id, kind: 'test', state: 'firing', subject: 'webhook', at: now(), server: origin },
    message: 'this is a test: nothing is wrong',
  })
  const problem = await alerts.queue.sendNow(webhook, { id: `msg_${id}`, body })
  if (problem !== undefined) throw new AppError('webhook_failed', `the webhook was not told: ${problem}`)
  return { url: webhook.url }
}
