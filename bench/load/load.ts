import type { Kit } from '../kit.ts'
import type { Options } from '../options.ts'
import { builtInGenerator } from './built-in.ts'
import { findWrk, wrkGenerator } from './wrk.ts'

/** The request that is sent again and again; it goes to 127.0.0.1 over TLS. */
export interface LoadRequest {
  readonly port: number
  readonly method: string
  readonly path: string
  /** Paths that are asked for in turn, instead of the one above. */
  readonly paths?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface LoadOptions {
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface LoadGenerator {
  /** Name and version. */
  readonly name: string
  /**
   * Keeps every connection busy with one request at a time.
   * @throws Error where an answer's status is not 2xx, or a connection breaks
   */
  run(request: LoadRequest, options: LoadOptions): Promise<LoadResult>
}

/** wrk where it is installed, else a generator of our own. */
export async function chooseGenerator(kit: Kit, wanted: Options['load']): Promise<LoadGenerator> {
  if (wanted === 'built-in') return builtInGenerator(kit)
  const version = await findWrk(kit)
  if (version !== undefined) return wrkGenerator(kit, version)
  if (wanted === 'wrk') throw new Error('wrk is not installed (on Debian: apt-get install wrk)')
  return builtInGenerator(kit)
}
