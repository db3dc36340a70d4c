import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import type { SaveCondition, StoredDocument } from '../documents-api.ts'
import { checkDocument, isSameId } from './check-document.ts'
import { prettyPrint } from './pretty-print.ts'

/** What a text is compared with, and saved on the condition of. */
export interface Base {
  /** Undefined of a new document. */
  readonly stored: StoredDocument | undefined
  /** As it is shown. */
  readonly text: string
}

/** What is to be saved, looked at before. */
export interface Review {
  readonly before: string
  readonly after: string
  readonly condition: SaveCondition
  /** What saves it. */
  readonly button: string
  readonly told: string
  readonly isOverwriting?: boolean
}

export type Reviewed =
  | { readonly kind: 'wrong'; readonly told: string }
  | { readonly kind: 'same' }
  | { readonly kind: 'review'; readonly review: Review }

/** What saving a text would do to a document. @param id of the document, JSON text; undefined for a new one */
export function reviewDocument(
  text: string,
  { base, id }: { readonly base: Base; readonly id: string | undefined },
): Reviewed {
  const { problem, id: typedId } = checkDocument(text)
  if (problem !== undefined) return { kind: 'wrong', told: toldAt(text, problem) }
  const after = prettyPrint(text)
  const { stored, text: before } = base
  if (stored === undefined) return { kind: 'review', review: newReview(after) }
  if (after === before) return { kind: 'same' }
  const isCopy = typedId === undefined || !isSameId(typedId, id)
  return {
    kind: 'review',
    review: {
      before,
      after,
      condition: isCopy ? 'isNew' : { ifMatch: stored.etag },
      button: isCopy ? DOCUMENT_TEXTS.saveCopy : DOCUMENT_TEXTS.save,
      told: isCopy ? DOCUMENT_TEXTS.idChanges : DOCUMENT_TEXTS.idStays,
    },
  }
}

/** What makes a document, and overwrites none. */
export function newReview(text: string): Review {
  return { before: '', after: text, condition: 'isNew', button: DOCUMENT_TEXTS.create, told: '' }
}

/** A problem with the line where it is. */
export function toldAt(
  text: string,
  { from, message }: { readonly from: number; readonly message: string },
): string {
  return DOCUMENT_TEXTS.problemAt(text.slice(0, from).split('\n').length, message)
}
