import { setTimeout } from 'node:timers/promises'
import { sendOnce } from './client.ts'
import type { LoadRequest } from './load/load.ts'

/** How often the port is tried; a start is measured so exactly. */
const RETRY_MS = 2
const GIVE_UP_MS = 60_000

/** Asks until there is an answer. @throws Error where it has another status, or there is none in a minute */
export async function firstAnswer(request: LoadRequest, status?: number): Promise<void> {
  const giveUp = performance.now() + GIVE_UP_MS
  for (;;) {
    try {
      await sendOnce(request, status)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || performance.now() > giveUp) throw error
    }
    await setTimeout(RETRY_MS)
  }
}
