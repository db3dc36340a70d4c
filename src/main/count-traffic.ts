import type { CountRequests } from '../analytics/request-facts.ts'
import { type ThreadDelta, TrafficCounter } from '../analytics/traffic-counter.ts'
import type { Limits } from '../domain/limits.ts'
import type { Log } from '../http/log/log.ts'
import { redactedPath } from '../http/log/redact.ts'

/** What a crash loses of what was counted, and as long again until it is stored. */
const HAND_OVER_MS = 5000

interface CountingParts {
  readonly limits: Pick<Limits, 'apps'>
  readonly log: Pick<Log, 'fault'>
  /** Takes what was counted to the thread that has all of it. */
  readonly handOver: (delta: ThreadDelta) => void
}

/** What one thread counts. */
export interface CountedTraffic extends CountRequests {
  /** Hands over what there is, at once. */
  flush(): void
  /** Hands over the rest. */
  close(): void
}

/** Counts the requests of one thread, and hands over what it has counted every few seconds, where it has. */
export function countTraffic({ limits, log, handOver }: CountingParts): CountedTraffic {
  const flush = (): void => {
    const delta = counter.drain()
    if (delta !== undefined) handOver(delta)
  }
  const counter = new TrafficCounter({
    now: Date.now,
    redactTarget: redactedPath,
    // And what is for no app.
    mostApps: limits.apps + 1,
    onFull: flush,
    onFailure: (error) => log.fault('a request was not counted', error),
  })
  const timer = setInterval(flush, HAND_OVER_MS).unref()
  return {
    add: (facts) => counter.add(facts),
    flush,
    close() {
      clearInterval(timer)
      flush()
    },
  }
}
