import type { TailBatch } from '../analytics/tail-batch.ts'
import { isoTime } from '../domain/iso-time.ts'
import { shownKeyName } from '../operations/find-shown-keys.ts'
import type { WatchedTraffic } from '../operations/watch-traffic.ts'

/** Requests of one app as they come, for one who looks. */
export interface Tail {
  /**
   * What has come since the last time; where that is nothing, whatever comes within so many milliseconds, or an empty batch.
   * Undefined when it is over.
   */
  next(waitMs: number): Promise<TailBatch | undefined>
  close(): void
}

export interface TailWanted {
  /** By its id, as the account is. */
  readonly app: string
  readonly account: string
}

/** @throws AppError `rate_limited` where as many look as may */
export type OpenTail = (wanted: TailWanted) => Promise<Tail>

export interface TailStreamOptions {
  readonly tail: Tail
  /** What whoever looks may see. */
  readonly looking: WatchedTraffic
  /** Asked every 15 s for the same; undefined where they no longer may look. */
  readonly lookAgain: () => Promise<WatchedTraffic | undefined>
  /** After which it ends. */
  readonly lengthMs: number
  /** Monotonic, in milliseconds. */
  readonly now: () => number
}

const CHECK_MS = 15_000

/** The text of an event stream (the HTML standard, server-sent events), as long as somebody may look. */
export async function* tailStream({
  tail,
  looking,
  lookAgain,
  lengthMs,
  now,
}: TailStreamOptions): AsyncGenerator<string> {
  const endAt = now() + lengthMs
  let { shownKeys } = looking
  let checkAt = now() + CHECK_MS
  try {
    while (now() < endAt) {
      const batch = await tail.next(Math.max(0, Math.min(checkAt, endAt) - now()))
      if (batch === undefined) {
        yield endText('stopped')
        return
      }
      const text = batchText(batch, shownKeys)
      if (text !== '') yield text
      if (now() < checkAt) continue
      const still = await lookAgain()
      if (still?.app !== looking.app) {
        yield endText('no_right')
        return
      }
      shownKeys = still.shownKeys
      checkAt = now() + CHECK_MS
      // Keeps proxies from taking it for dead.
      yield ':\n\n'
    }
    yield endText('time')
  } finally {
    tail.close()
  }
}

function batchText({ requests, skipped }: TailBatch, shownKeys: readonly string[] | undefined): string {
  const events = requests.map(({ at, code, key: name, ...rest }) => {
    const key = shownKeyName(name, shownKeys)
    return eventText('request', { at: isoTime(at), ...rest, key, ...(code !== '' && { code }) })
  })
  const { errors, others } = skipped
  if (errors + others > 0) events.push(eventText('skipped', { count: errors + others, errors }))
  return events.join('')
}

/** Why there is no more: the server stops, whoever looks no longer may, or its time is over. */
function endText(reason: 'stopped' | 'no_right' | 'time'): string {
  return eventText('end', { reason })
}

/** JSON has no line breaks of its own. */
function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
