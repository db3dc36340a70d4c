/** A name of OpenTelemetry's semantic conventions, or of ours, to what it is. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** As OTLP numbers them. */
export const SPAN_KINDS = { internal: 1, server: 2 } as const

/** A piece of work that is over. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits, both. */
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: keyof typeof SPAN_KINDS
  /** Milliseconds since the Unix epoch, with fractions. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  readonly isFailed: boolean
}

/** What travels to a collector together. */
export interface SpanBatch {
  readonly resource: Readonly<Record<string, string>>
  /** What made the spans. */
  readonly scope: { readonly name: string; readonly version: string }
  readonly spans: readonly Span[]
}

/** Of a time in milliseconds, to the microsecond, which is what the clock tells. */
export function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n
}
