import type { LoadGenerator, LoadRequest } from './load/load.ts'
import { cpuSeconds } from './process-usage.ts'

/** What one contender did in one round. */
export interface Sample {
  /** Requests, or documents where a row counts those. */
  readonly count: number
  readonly seconds: number
  /** Processor time of all of the server's threads. */
  readonly cpuSeconds: number
  readonly p50Ms?: number
  readonly p99Ms?: number
}

/** One of the things that a row measures in turn: a server under load, or a program without HTTP. */
export interface Contender {
  readonly name: string
  /** What it does, and how durable its answers are. */
  readonly about: string
  measure(seconds: number): Promise<Sample>
  stop(): Promise<void>
  /** For a product that users take instead; whether what it acknowledges is on the disk by then. */
  readonly peer?: { readonly isDurable: boolean }
}

/** Thrown by a contender that this machine can't run; the row goes on without it and says why. */
export class Skipped extends Error {}

/** A server that is up. */
export interface RunningServer {
  /** Those that it was started as; their children count for it, too. */
  readonly pids: readonly number[]
  stop(): Promise<void>
}

/** A server under the load of one kind of request. */
export function underLoad(
  about: Pick<Contender, 'name' | 'about' | 'peer'>,
  server: RunningServer,
  load: {
    readonly generator: LoadGenerator
    readonly request: LoadRequest
    readonly connections: number
    /** What one request counts as; a bulk of 1,000 documents is 1,000. */
    readonly weight?: number
  },
): Contender {
  const { generator, request, connections, weight = 1 } = load
  return {
    ...about,
    async measure(seconds) {
      const before = cpuSeconds(server.pids)
      const { requests, ...result } = await generator.run(request, { connections, seconds })
      return { ...result, count: requests * weight, cpuSeconds: cpuSeconds(server.pids) - before }
    },
    stop: () => server.stop(),
  }
}
