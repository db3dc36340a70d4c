import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { Kit } from '../kit.ts'
import type { LoadRequest } from './load.ts'

export interface Background {
  /** Ends it; answers how often each request was answered to its end. */
  stop(): Promise<readonly number[]>
}

/** Repeats each request on a connection of its own, in a process of its own, from when all of them are sent. */
export async function startBackground(kit: Kit, requests: readonly LoadRequest[]): Promise<Background> {
  const file = kit.path('background')
  writeFileSync(file, JSON.stringify(requests))
  const child = kit.spawn(
    process.execPath,
    [new URL('./background-client.ts', import.meta.url).pathname, file],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the requests in the background ended with ${code}`)
  })
  const message = (): Promise<unknown[]> => Promise.race([once(child, 'message'), ended])
  await message()
  return {
    async stop() {
      const counted = message()
      if (child.connected) child.send('stop')
      const [counts] = (await counted) as [number[]]
      await kit.stop(child)
      return counts
    },
  }
}
