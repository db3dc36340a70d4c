import { stringify } from '../../../../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts'

/** Of the ids that one request names: its URL may have 64 KiB, and a character takes up to nine bytes of that. */
const MOST_IDS_LENGTH = 4000
/** What a spreadsheet would take for the end of a cell, or for the begin of one in quotes. */
const NEEDS_QUOTES = /[\t\r\n]|^"/

/** Queries that name few enough ids each. */
export function queriesOf(ids: readonly string[]): readonly string[] {
  const groups: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const id of ids) {
    if (length + id.length > MOST_IDS_LENGTH) {
      groups.push([])
      length = 0
    }
    groups.at(-1)!.push(id)
    length += id.length + 1
  }
  return groups.map((group) => `{"_id":{"$in":[${group.join(',')}]}}`)
}

/** Nothing stands where a field is missing; what is nested is JSON. */
export function formatCells(documents: readonly JsonObject[], columns: readonly string[]): string {
  const isOne = documents.length === 1 && columns.length === 1
  return documents
    .map((document) => columns.map((name) => cellOf(document.get(name), isOne)).join('\t'))
    .join('\n')
}

/** @param isAlone whether nothing is beside it that it has to be told from */
function cellOf(value: JsonValue | undefined, isAlone: boolean): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return stringify(value)
  return !isAlone && NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
