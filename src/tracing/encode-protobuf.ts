import { type Attributes, nanoseconds, SPAN_KINDS, type Span, type SpanBatch } from './span.ts'

/** Types of protobuf's wire format. */
const VARINT = 0
const FIXED64 = 1
const LENGTH = 2
const FAILED = 2

/**
 * OTLP's protobuf. The numbers of fields are those of `opentelemetry/proto/collector/trace/v1/trace_service.proto` and what it
 * imports, 1.0 and later.
 */
export function encodeProtobuf({ resource, scope, spans }: SpanBatch): Uint8Array {
  const scopeText = Buffer.concat([text(1, scope.name), text(2, scope.version)])
  const scopeSpans = Buffer.concat([bytes(1, scopeText), ...spans.map((span) => bytes(2, spanMessage(span)))])
  return bytes(1, Buffer.concat([bytes(1, attributesMessage(1, resource)), bytes(2, scopeSpans)]))
}

function spanMessage(span: Span): Buffer {
  return Buffer.concat([
    bytes(1, Buffer.from(span.traceId, 'hex')),
    bytes(2, Buffer.from(span.spanId, 'hex')),
    ...(span.parentId === undefined ? [] : [bytes(4, Buffer.from(span.parentId, 'hex'))]),
    text(5, span.name),
    whole(6, SPAN_KINDS[span.kind]),
    fixed64(7, nanoseconds(span.startedAt)),
    fixed64(8, nanoseconds(span.endedAt)),
    attributesMessage(9, span.attributes),
    ...(span.isFailed ? [bytes(15, whole(3, FAILED))] : []),
  ])
}

function attributesMessage(field: number, attributes: Attributes): Buffer {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return Buffer.concat(
    pairs.map(([key, value]) => {
      const any = typeof value === 'number' ? whole(3, value) : text(1, value!)
      return bytes(field, Buffer.concat([text(1, key), bytes(2, any)]))
    }),
  )
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value))
}

function bytes(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint((field << 3) | LENGTH), varint(value.length), value])
}

/** @param value not negative */
function whole(field: number, value: number): Buffer {
  return Buffer.concat([varint((field << 3) | VARINT), varint(value)])
}

function fixed64(field: number, value: bigint): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64LE(value)
  return Buffer.concat([varint((field << 3) | FIXED64), number])
}

function varint(value: number): Buffer {
  const all: number[] = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) all.push((left % 128) | 128)
  all.push(left)
  return Buffer.from(all)
}
