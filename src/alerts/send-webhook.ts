import { once } from 'node:events'
import { isIP } from 'node:net'
import { isPublicAddress } from '../domain/public-address.ts'
import { askAddress } from '../outbound/ask-address.ts'
import { webhookHeaders } from './sign-webhook.ts'
import { hostOf } from './webhook-url.ts'

export interface WebhookParts {
  /** The addresses of a name, in the order in which they are to be tried. */
  readonly lookup: (host: string) => Promise<readonly string[]>
  /** That may be at any address, and be asked by http; all others are at public ones, and asked by https. */
  readonly hosts: readonly string[]
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
  /** See `AddressRequest`. */
  readonly ca?: string | Buffer
}

export interface WebhookMessage {
  readonly url: string
  /** By each of which it is signed. */
  readonly secrets: readonly string[]
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** What came of a message: undefined where it was taken, or in words what went wrong. */
export type SendWebhook = (message: WebhookMessage, signal: AbortSignal) => Promise<string | undefined>

const TIMEOUT_MS = 10_000
const ANSWER_BYTES = 4096

/**
 * Sends messages to where an operator wants them, and into the server's own network, or unencrypted, only where it was started
 * so, also by a later start than the one by which the webhook was set. What is answered is shown to nobody but its status.
 */
export function createSendWebhook({ lookup, hosts, now, ca }: WebhookParts): SendWebhook {
  return async ({ url: text, secrets, id, body }, signal) => {
    const url = new URL(text)
    const host = hostOf(url)
    const isNamed = hosts.includes(host)
    if (url.protocol !== 'https:' && !isNamed)
      return `${host} is told by https:// alone; name it when the server is started (--webhook-host ${host})`
    const addresses = isIP(host) === 0 ? await found(lookup(host), signal) : [host]
    if (addresses.length === 0) return `${host} has no address`
    const address = addresses.find((each) => isNamed || isPublicAddress(each))
    if (address === undefined)
      return `${host} has no public address; name it when the server is started (--webhook-host ${host})`
    const answer = await askAddress({
      ...{ address, url, method: 'POST', body, ca, signal },
      ...{ timeoutMs: TIMEOUT_MS, answerBytes: ANSWER_BYTES, isStatusEnough: true },
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        'User-Agent': 'sheaf (alerts)',
        ...webhookHeaders({ id, timestamp: Math.floor(now() / 1000), body }, secrets),
      },
    })
    if ('problem' in answer) return `${host} ${answer.problem}${answer.code ? ` (${answer.code})` : ''}`
    if (answer.status >= 200 && answer.status < 300) return undefined
    return `${host} answered with the status ${answer.status}`
  }
}

/** None where they can't be found, or not in time. */
async function found(looking: Promise<readonly string[]>, stopping: AbortSignal): Promise<readonly string[]> {
  const givenUp = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)])
  if (givenUp.aborted) return []
  return await Promise.race([looking.catch(() => []), once(givenUp, 'abort').then(() => [])])
}
