import { fetchApi } from '../api.ts'
import { appPath } from '../apps-data.ts'

/** A request as it was answered. */
export interface TailRequest {
  readonly at: string
  readonly method: string
  /** With the values of its query left out. */
  readonly path: string
  readonly status: number
  readonly code?: string
  readonly ms: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** The name of the key; empty without one, null where it is withheld. */
  readonly key: string | null
  /** Empty or null without one. */
  readonly collection: string | null
  readonly operation: string
  readonly requestId: string
}

export interface TailEvent {
  readonly event: string
  readonly data: string
}

/** Takes a stream of events apart as its pieces come (WHATWG HTML, 9.2.6); only `event` and `data` mean something here. */
export class EventParser {
  private rest = ''
  private event = ''
  private data: string[] = []

  /** The events that are whole with this piece. */
  push(piece: string): TailEvent[] {
    const lines = `${this.rest}${piece}`.split('\n')
    this.rest = lines.pop()!
    return lines.flatMap((line) => this.take(line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  private take(line: string): readonly TailEvent[] {
    if (line !== '') {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
      if (field === 'event') this.event = value
      if (field === 'data') this.data.push(value)
      return []
    }
    const { event, data } = this
    this.event = ''
    this.data = []
    return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
  }
}

export interface Skipped {
  readonly count: number
  /** Of them. */
  readonly errors: number
}

/** Why the server has ended it: its time is over, who looked no longer may, the server stops; undefined where it didn't say. */
export type TailEnd = 'time' | 'no_right' | 'stopped' | undefined

interface TailTaker {
  readonly signal: AbortSignal
  /** Called when the server has begun. */
  readonly onOpen: () => void
  /** Requests, the oldest first, and how many were left out beside them. */
  readonly onRequests: (requests: readonly TailRequest[], skipped: Skipped) => void
}

/**
 * Takes the requests of an app as they are answered. Resolves when the server ends the stream, to the reason.
 * @throws ApiError, or the signal's reason
 */
export async function readTail(slug: string, { signal, onOpen, onRequests }: TailTaker): Promise<TailEnd> {
  const headers = { Accept: 'text/event-stream' }
  const response = await fetchApi(`${appPath(slug)}/analytics/tail`, { signal, headers })
  onOpen()
  const parser = new EventParser()
  let end: TailEnd
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return end
    const events = parser.push(value)
    const named = (name: string) =>
      events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data))
    end = named('end')[0]?.reason ?? end
    const skipped = named('skipped').reduce(addSkipped, NONE_SKIPPED)
    if (events.length > 0) onRequests(named('request'), skipped)
  }
}

/** Whether the answer was an error. */
export function isRefused({ status }: TailRequest): boolean {
  return status >= 400
}

export const NONE_SKIPPED: Skipped = Object.freeze({ count: 0, errors: 0 })

export function addSkipped(sum: Skipped, more: Skipped): Skipped {
  return { count: sum.count + more.count, errors: sum.errors + more.errors }
}
