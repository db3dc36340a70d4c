import { type Attributes, nanoseconds, SPAN_KINDS, type Span, type SpanBatch } from './span.ts'

/** Types of protobuf's wire format. */
const VARINT = 0
const FIXED64 = 1
const LENGTH = 2
const FAILED = 2

/**
 * OTLP's protobuf. The numbers of fields are those of `opentelemetry/proto/collector/trace/v1/trace_service.proto` and what it
 * imports, 1.0 and later. Messages are put together as texts with a character for each byte, which takes a third of the time
 * that small buffers take.
 */
export function encodeProtobuf({ resource, scope, spans }: SpanBatch): Uint8Array {
  const scopeMessage = text(1, scope.name) + text(2, scope.version)
  const scopeSpans = bytes(1, scopeMessage) + spans.map((span) => bytes(2, spanMessage(span))).join('')
  return Buffer.from(bytes(1, bytes(1, attributesMessage(1, resource)) + bytes(2, scopeSpans)), 'latin1')
}

function spanMessage(span: Span): string {
  return (
    hexadecimal(1, span.traceId) +
    hexadecimal(2, span.spanId) +
    (span.parentId === undefined ? '' : hexadecimal(4, span.parentId)) +
    text(5, span.name) +
    whole(6, SPAN_KINDS[span.kind]) +
    fixed64(7, nanoseconds(span.startedAt)) +
    fixed64(8, nanoseconds(span.endedAt)) +
    attributesMessage(9, span.attributes) +
    (span.isFailed ? bytes(15, whole(3, FAILED)) : '')
  )
}

function attributesMessage(field: number, attributes: Attributes): string {
  let message = ''
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const any = typeof value === 'number' ? whole(3, value) : text(1, value)
    message += bytes(field, text(1, key) + bytes(2, any))
  }
  return message
}

function text(field: number, value: string): string {
  const isAscii = Buffer.byteLength(value) === value.length
  return bytes(field, isAscii ? value : Buffer.from(value).toString('latin1'))
}

function hexadecimal(field: number, digits: string): string {
  return bytes(field, Buffer.from(digits, 'hex').toString('latin1'))
}

/** @param value a character for each byte */
function bytes(field: number, value: string): string {
  return varint((field << 3) | LENGTH) + varint(value.length) + value
}

/** @param value not negative */
function whole(field: number, value: number): string {
  return varint((field << 3) | VARINT) + varint(value)
}

function fixed64(field: number, value: bigint): string {
  const number = Buffer.alloc(8)
  number.writeBigUInt64LE(value)
  return varint((field << 3) | FIXED64) + number.toString('latin1')
}

function varint(value: number): string {
  let text = ''
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) text += String.fromCharCode((left % 128) | 128)
  return text + String.fromCharCode(left)
}
