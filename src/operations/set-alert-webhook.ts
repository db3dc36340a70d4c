import { generateWebhookSecret } from '../alerts/sign-webhook.ts'
import { type Webhook, webhookFrom } from '../alerts/webhook.ts'
import { webhookUrl } from '../alerts/webhook-url.ts'
import { WEBHOOK_SETTING } from '../storage/alert-store.ts'
import { actorOf, requireOperator, requireRecentPassword } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

/** For so long messages are signed by the old secret, too, where a webhook gets another one. */
const OVERLAP_MS = 24 * 60 * 60 * 1000

/**
 * Has alerts told at an address, signed by a new secret that is shown this once. Asked for the address that it has already,
 * it gives another secret, and the old one signs for a day more; another address is told of what fires, the oldest first.
 * @throws AppError `permission_denied`, `password_required`, `invalid_request`
 */
export async function setAlertWebhook(
  { accounts, alerts, now }: Pick<AccountsContext, 'accounts' | 'alerts' | 'now'>,
  caller: Caller,
  input: { readonly url: string },
): Promise<{ readonly url: string; readonly secret: string }> {
  requireOperator(caller)
  requireRecentPassword({ now }, caller)
  const url = webhookUrl(input.url, alerts.webhookHosts)
  const old = webhookFrom(await accounts.setting(WEBHOOK_SETTING))
  const isSame = old?.url === url.href
  const [before] = isSame ? old.secrets : []
  const firing = isSame ? [] : (await alerts.list()).filter(({ endedAt }) => endedAt === null)
  const secret = generateWebhookSecret()
  const webhook: Webhook = {
    ...{ url: url.href, madeAt: now() },
    secrets: [{ secret, until: null }, ...(before ? [{ ...before, until: now() + OVERLAP_MS }] : [])],
  }
  await accounts.changeWebhook(
    { action: 'webhook.set', subject: url.origin, text: JSON.stringify(webhook) },
    actorOf(caller),
  )
  await alerts.tell(firing.toReversed())
  return { url: url.href, secret }
}
