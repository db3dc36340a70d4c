import { isoTime } from '../domain/iso-time.ts'
import type { Reply } from '../http/response/reply.ts'

/** Fields that hold milliseconds since the Unix epoch inside the house, and times in ISO 8601 in every answer. */
const TIMES: ReadonlySet<string> = new Set([
  'at',
  'authenticatedAt',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'passwordGoodUntil',
  'seenAt',
  'until',
])

/** @param headers names and values in turn */
export function jsonReply(status: number, value: unknown, headers?: readonly string[]): Reply {
  const body = JSON.stringify(value, (name, inside: unknown) =>
    typeof inside === 'number' && TIMES.has(name) ? isoTime(inside) : inside,
  )
  return { status, body, ...(headers !== undefined && { headers }) }
}

/** Done, with nothing to say of it. */
export function doneReply(headers?: readonly string[]): Reply {
  return { status: 204, body: '', ...(headers !== undefined && { headers }) }
}
