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
  /** The name of the key; empty or null without one. */
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

interface TailTaker {
  readonly signal: AbortSignal
  /** Called when the server has begun. */
  readonly onOpen: () => void
  /** Requests, the oldest first, and how many were left out beside them. */
  readonly onRequests: (requests: readonly TailRequest[], skipped: number) => void
}

/**
 * Takes the requests of an app as they are answered. Resolves when the server ends the stream.
 * @throws ApiError, or the signal's reason
 */
export async function readTail(slug: string, { signal, onOpen, onRequests }: TailTaker): Promise<void> {
  const headers = { Accept: 'text/event-stream' }
  const response = await fetchApi(`${appPath(slug)}/analytics/tail`, { signal, headers })
  onOpen()
  const parser = new EventParser()
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = parser.push(value)
    const requests = events.filter(({ event }) => event === 'request').map(({ data }) => JSON.parse(data))
    const skipped = events
      .filter(({ event }) => event === 'skipped')
      .map(({ data }) => JSON.parse(data).count)
    if (events.length > 0)
      onRequests(
        requests,
        skipped.reduce((sum, count) => sum + count, 0),
      )
  }
}
