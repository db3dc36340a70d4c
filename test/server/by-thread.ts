import assert from 'node:assert/strict'
import type { Client } from './client.ts'
import type { ServerProcess } from './start-server.ts'

/** Connections that are opened at most until every thread has enough of them. */
const MOST_CONNECTIONS = 200

/** The thread that gave an answer, by the part of the request's id that each thread has for itself. */
export function threadOf({ headers }: { headers: Record<string, unknown> }): string {
  return String(headers['x-request-id']).split('-')[0]!
}

/** Clients of one connection each, so many on each thread of a server. The system chooses a connection's thread. */
export async function clientsByThread(
  server: ServerProcess,
  { threads, each }: { threads: number; each: number },
): Promise<readonly (readonly Client[])[]> {
  const found = new Map<string, Client[]>()
  for (let opened = 0; opened < MOST_CONNECTIONS; opened++) {
    const client = server.newClient(1)
    const thread = threadOf(await client.send('GET', '/'))
    const known = found.get(thread) ?? []
    found.set(thread, known)
    if (known.length < each) known.push(client)
    else client.close()
    if (found.size === threads && [...found.values()].every(({ length }) => length === each))
      return [...found.values()]
  }
  assert.fail(`${MOST_CONNECTIONS} connections went to ${found.size} threads`)
}

export function closeAll(clients: readonly (readonly Client[])[]): void {
  for (const client of clients.flat()) client.close()
}
