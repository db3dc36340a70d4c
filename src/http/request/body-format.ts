import type { IncomingMessage } from 'node:http'
import type { BodyFormat } from '../../operations/context.ts'

/** Names under which newline-delimited JSON goes; none of them is registered. */
export const NDJSON_TYPES: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
])

/** What the `Content-Type` of a bulk says, its parameters passed over. Every other type is taken for JSON. */
export function bodyFormat({ headers }: IncomingMessage): BodyFormat {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return NDJSON_TYPES.has(type.trim().toLowerCase()) ? 'ndjson' : 'json'
}
