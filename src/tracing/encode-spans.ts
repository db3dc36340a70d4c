import type { TraceSettings } from '../domain/trace-settings.ts'
import { encodeJson } from './encode-json.ts'
import { encodeProtobuf } from './encode-protobuf.ts'
import type { SpanBatch } from './span.ts'

export interface EncodedSpans {
  /** The value of `Content-Type`. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** The body of a request to a collector. */
export function encodeSpans(batch: SpanBatch, protocol: TraceSettings['protocol']): EncodedSpans {
  return protocol === 'http/json'
    ? { type: 'application/json', bytes: encodeJson(batch) }
    : { type: 'application/x-protobuf', bytes: encodeProtobuf(batch) }
}
