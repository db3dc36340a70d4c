import type { CountRequests } from '../analytics/request-facts.ts'
import { type ThreadDelta, TrafficCounter } from '../analytics/traffic-counter.ts'
import type { Limits } from '../domain/limits.ts'
import type { Log } from '../http/log/log.ts'
import { redactedPath } from '../http/log/redact.ts'
import type { AppBatches, TailAsked } from './traffic-tails.ts'

/** How long a request waits for others that are shown with it. */
const TAIL_MS = 200
/** What a crash loses of what was counted, and as long again until it is stored. */
const HAND_OVER_MS = 5000

/** Where what threads count of requests goes: the thread that has all of it. */
export interface TrafficReceiver {
  take(delta: ThreadDelta): void
  /** Is told of requests of apps that are watched. */
  tell(batches: AppBatches): void
  /** Is asked for a view of such requests. */
  openView(asked: TailAsked): void
}

interface CountingParts {
  readonly limits: Pick<Limits, 'apps'>
  readonly log: Pick<Log, 'fault'>
  readonly receiver: Pick<TrafficReceiver, 'take' | 'tell'>
}

/** What one thread counts. */
export interface CountedTraffic extends CountRequests {
  /** Tells of the requests of these apps, by their ids, and of no others. */
  watch(apps: readonly string[]): void
  /** Hands over what there is, at once. */
  flush(): void
  /** Hands over the rest. */
  close(): void
}

/** Counts the requests of one thread, and hands over what it has counted every few seconds, where it has. */
export function countTraffic({ limits, log, receiver }: CountingParts): CountedTraffic {
  const flush = (): void => {
    const delta = counter.drain()
    if (delta !== undefined) receiver.take(delta)
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
  let tailTimer: NodeJS.Timeout | undefined
  const tellOfTail = (): void => {
    const batches = counter.tail.drain()
    if (batches.length > 0) receiver.tell(batches)
  }
  return {
    watch(apps) {
      counter.tail.watch(new Set(apps))
      // Where nobody looks it costs nothing. One that runs goes on, or views that come and go would stop all others.
      if (apps.length > 0) tailTimer ??= setInterval(tellOfTail, TAIL_MS).unref()
      else {
        clearInterval(tailTimer)
        tailTimer = undefined
      }
    },
    add: (facts) => counter.add(facts),
    flush,
    close() {
      clearInterval(timer)
      clearInterval(tailTimer)
      flush()
    },
  }
}
