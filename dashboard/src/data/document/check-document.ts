import { requireDocument } from '../../../../src/body/read-document.ts'
import { AppError } from '../../../../src/errors.ts'
import { documentId } from '../../../../src/json/document-id.ts'
import { ExactParser, parseJson } from '../../../../src/json/exact.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import type { JsonValue } from '../../../../src/json/value.ts'
import type { EditorProblem } from '../../editor/code-editor.tsx'
import { TOKEN } from './pretty-print.ts'

/** Deeper than any server goes, which says its own limit when it is sent such a text. */
const LIMITS = { nestingLevels: 1_000 }

/** What is wrong with a text that is to be saved as a document; or its `_id`. */
export type CheckedDocument =
  | { readonly problem: EditorProblem; readonly id?: undefined }
  | {
      readonly problem?: undefined
      /** JSON text; undefined where the server is to give one. */
      readonly id: string | undefined
    }

/** Checks a document as the server does, in the same words. */
export function checkDocument(text: string): CheckedDocument {
  const parser = new ExactParser(text, LIMITS)
  let value: JsonValue
  try {
    parser.mark()
    value = parser.value()
    parser.end()
  } catch (error) {
    const from = Math.min(parser.position, text.length)
    return { problem: { from, to: Math.min(from + 1, text.length), message: messageOf(error) } }
  }
  try {
    const id = requireDocument(value).get('_id')
    if (id !== undefined) documentId(id)
    return { id: id === undefined ? undefined : stringify(id) }
  } catch (error) {
    const at = misplaced(text)
    return { problem: { ...at, message: messageOf(error) } }
  }
}

/** Whether a text is one of JSON that can be an `_id`; in an address anything may stand. */
export function isId(text: string): boolean {
  try {
    keyOf(text)
    return true
  } catch {
    return false
  }
}

/** A document as it is written, without its `_id`. @param text a document */
export function withoutId(text: string): string {
  const document = requireDocument(parseJson(text, LIMITS))
  document.delete('_id')
  return stringify(document)
}

/** Whether two ids, as JSON texts, are those of one document: `7` and `7.0` are, `"7"` is another's. */
export function isSameId(one: string, other: string | undefined): boolean {
  return other !== undefined && keyOf(one) === keyOf(other)
}

function keyOf(id: string): ReturnType<typeof documentId> {
  return documentId(parseJson(id, LIMITS))
}

function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message
  throw error
}

/** Where a key stands that a document may not have at its top, or `_id`; else the beginning of the text. */
function misplaced(text: string): { readonly from: number; readonly to: number } {
  let depth = 0
  let begin = { from: 0, to: 1 }
  let isKey = false
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const place = { from: index, to: index + token.length }
    if (token.startsWith('"') && depth === 1 && isKey && isTelling(token)) {
      if (token !== '"_id"') return place
      begin = place
    }
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    isKey = token === '{' || token === ','
  }
  return begin
}

/** By its first character, which may be an escape. @param token a text of JSON */
function isTelling(token: string): boolean {
  const key = JSON.parse(token) as string
  return key.startsWith('$') || key === '_id'
}
