import { type Attributes, nanoseconds, SPAN_KINDS, type Span, type SpanBatch } from './span.ts'

/** OTLP's JSON: ids in hexadecimal digits, 64-bit numbers as texts. */
export function encodeJson({ resource, scope, spans }: SpanBatch): Uint8Array {
  const scopeSpans = [{ scope, spans: spans.map(spanJson) }]
  return Buffer.from(
    JSON.stringify({ resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans }] }),
  )
}

function spanJson(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentId,
    name: span.name,
    kind: SPAN_KINDS[span.kind],
    startTimeUnixNano: String(nanoseconds(span.startedAt)),
    endTimeUnixNano: String(nanoseconds(span.endedAt)),
    attributes: attributesJson(span.attributes),
    status: span.isFailed ? { code: 2 } : {},
  }
}

function attributesJson(attributes: Attributes): object[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    }))
}
