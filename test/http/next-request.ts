import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

const REQUEST_STARTS = 'http.server.request.start'
const RESPONSE_FINISHES = 'http.server.response.finish'

/** Resolves with the request that a server in this process begins as the next one, or that so many others came before. */
export async function nextRequest(count = 1): Promise<IncomingMessage> {
  return nextOn(REQUEST_STARTS, count)
}

/** Resolves with the request whose answer a server in this process hands over to the system next. */
export async function nextAnswered(): Promise<IncomingMessage> {
  return nextOn(RESPONSE_FINISHES, 1)
}

function nextOn(channel: string, count: number): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    let seen = 0
    const see = (message: unknown): void => {
      if (++seen < count) return
      unsubscribe(channel, see)
      resolve((message as { request: IncomingMessage }).request)
    }
    subscribe(channel, see)
  })
}
