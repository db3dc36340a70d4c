import { writeFileSync } from 'node:fs'
import type { Kit } from '../kit.ts'
import type { LoadOptions, LoadRequest, LoadResult } from './load.ts'

/** A small generator in a process of its own; it takes about twice wrk's processor time for each request. */
export function builtInGenerator(kit: Kit): {
  readonly name: string
  /** With `perSecond` all connections together send no more than that; the time of a request counts from when it was due. */
  run(request: LoadRequest, options: LoadOptions & { readonly perSecond?: number }): Promise<LoadResult>
} {
  return {
    name: 'the built-in generator',
    run: (request, options) => {
      // A body may be too long for an argument.
      const file = kit.path('load.json')
      writeFileSync(file, JSON.stringify({ request, ...options }))
      return kit.runScript<LoadResult>(new URL('./client.ts', import.meta.url), { file })
    },
  }
}
