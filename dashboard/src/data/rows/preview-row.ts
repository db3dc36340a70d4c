import { parseJson } from '../../../../src/json/exact.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import { isJsonArray, isJsonNumber, type JsonObject, type JsonValue } from '../../../../src/json/value.ts'

/** A value as far as a list shows it. */
export type PreviewValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** As it is stored: `1.10`, `1e5`, `750727362669608961`. */
  | { readonly kind: 'number'; readonly source: string }
  /** `length` of the whole text, where `text` is only its beginning. */
  | { readonly kind: 'text'; readonly text: string; readonly length?: number }
  /** How many members or elements there are, and the first of them. */
  | {
      readonly kind: 'object'
      readonly count: number
      readonly first: readonly (readonly [string, PreviewValue])[]
    }
  | { readonly kind: 'array'; readonly count: number; readonly first: readonly PreviewValue[] }

/** A document as a row of a list. */
export interface PreviewRow {
  /** The `_id` as JSON text. */
  readonly id: string
  /** Of the whole document. */
  readonly bytes: number
  /** In the order of the document. */
  readonly fields: ReadonlyMap<string, PreviewValue>
  /** How many fields more the document has. */
  readonly left: number
}

/** Deeper than any preview. */
const LIMITS = { nestingLevels: 16 }

/** The rows of an answer with `preview=true`. */
export function parseRows(text: string): PreviewRow[] {
  return (parseJson(text, LIMITS) as JsonObject[]).map(rowOf)
}

function rowOf(row: JsonObject): PreviewRow {
  const fields = row.get('fields') as JsonObject
  return {
    id: stringify(row.get('id')!),
    bytes: row.get('bytes') as number,
    fields: new Map([...fields].map(([name, value]) => [name, previewOf(value)])),
    left: (row.get('left') as number | undefined) ?? 0,
  }
}

function previewOf(value: JsonValue): PreviewValue {
  if (value === null) return { kind: 'null' }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (isJsonNumber(value)) return { kind: 'number', source: stringify(value) }
  if (isJsonArray(value)) return { kind: 'array', count: value.length, first: value.map(previewOf) }
  return described(value)
}

/** What a preview says in place of what would be too long. */
function described(value: JsonObject): PreviewValue {
  const text = value.get('text')
  if (typeof text === 'string') return { kind: 'text', text, length: value.get('length') as number }
  const first = (value.get('first') ?? []) as JsonValue[]
  const array = value.get('array')
  if (array !== undefined) return { kind: 'array', count: Number(array), first: first.map(previewOf) }
  const members = first as [string, JsonValue][]
  const count = Number(value.get('object') ?? 0)
  return { kind: 'object', count, first: members.map(([name, member]) => [name, previewOf(member)]) }
}
