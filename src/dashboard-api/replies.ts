import type { Reply } from '../http/response/reply.ts'

/** @param headers names and values in turn */
export function jsonReply(status: number, value: unknown, headers?: readonly string[]): Reply {
  return { status, body: JSON.stringify(value), ...(headers !== undefined && { headers }) }
}

/** Done, with nothing to say of it. */
export function doneReply(headers?: readonly string[]): Reply {
  return { status: 204, body: '', ...(headers !== undefined && { headers }) }
}
