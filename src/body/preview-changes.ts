import { storedValue } from '../json/stored.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonArray } from '../json/value.ts'
import { changedDocument, type DocumentRules } from '../update/make-document.ts'
import { parseUpdate } from '../update/parse.ts'
import { parseBody } from './parse-body.ts'

/** What is to be tried on documents. */
export interface TriedUpdate {
  /** The JSON text of an array of stored documents. */
  readonly documents: string
  /** The update as JSON in UTF-8. */
  readonly body: Buffer
  /** The app's own limit of a document. */
  readonly documentBytes?: number | undefined
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * The JSON text of what an update would make of each document: `[{"before":…,"after":…},…]`.
 * @throws AppError as `parseBody`, `parseUpdate` and `changedDocument` do
 */
export function previewChanges(rules: DocumentRules, { documents, body, ...making }: TriedUpdate): string {
  const update = parseUpdate(parseBody(body, rules.limits), rules.limits)
  const changes = (storedValue(documents) as JsonArray).map((document) => {
    const { before, after } = changedDocument(rules, stringify(document), { update, ...making })
    return `{"before":${before},"after":${after}}`
  })
  return `[${changes.join(',')}]`
}
