import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

const REQUEST_STARTS = 'http.server.request.start'

/** Resolves with the request that a server in this process begins as the next one, or that so many others came before. */
export function nextRequest(count = 1): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    let seen = 0
    const see = (message: unknown): void => {
      if (++seen < count) return
      unsubscribe(REQUEST_STARTS, see)
      resolve((message as { request: IncomingMessage }).request)
    }
    subscribe(REQUEST_STARTS, see)
  })
}
