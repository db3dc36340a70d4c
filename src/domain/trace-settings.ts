/** Where traces go and which requests have one. */
export interface TraceSettings {
  /** Takes OTLP over HTTP. */
  readonly url: string
  readonly protocol: 'http/json' | 'http/protobuf'
  /** Beside those of the protocol; they may hold credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** Of one request to the collector. */
  readonly timeoutMs: number
  readonly isCompressed: boolean
  /** PEM. */
  readonly ca: string | undefined
  readonly clientKey: string | undefined
  readonly clientCertificate: string | undefined
  readonly sampler: SamplerSettings
  /** Whether the header `traceparent` of a request is believed. */
  readonly takesParent: boolean
  /** What is said of this process: `service.name` and others. */
  readonly resource: Readonly<Record<string, string>>
  readonly batch: BatchSettings
}

export interface SamplerSettings {
  /** Whether a trace that has begun elsewhere goes on as was decided there. */
  readonly followsParent: boolean
  /** Of the other traces, from 0 to 1. */
  readonly share: number
}

export interface BatchSettings {
  /** After which spans are sent, however few they are. */
  readonly delayMs: number
  /** That wait; what is over is dropped. */
  readonly queueSpans: number
  /** That are sent together at most. */
  readonly batchSpans: number
  /** For which it is tried to send them. */
  readonly exportMs: number
}
