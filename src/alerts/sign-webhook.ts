import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** What a message is signed over. */
export interface SignedMessage {
  readonly id: string
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly body: string
}

/** A key of 256 random bits in base64, written as Standard Webhooks does. */
export function generateWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The headers of a message, with a signature by each secret (Standard Webhooks, "Signature scheme"). */
export function webhookHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'Webhook-Id': message.id,
    'Webhook-Timestamp': String(message.timestamp),
    'Webhook-Signature': secrets.map((secret) => signature(message, secret)).join(' '),
  }
}

function signature({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
