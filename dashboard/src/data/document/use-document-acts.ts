import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../../api.ts'
import {
  type CollectionAddress,
  deleteDocument,
  readDocument,
  type StoredDocument,
  saveDocument,
} from '../documents-api.ts'
import type { Review } from './review-document.ts'

/** What came of a save. */
type SaveOutcome =
  | { readonly kind: 'saved'; readonly saved: StoredDocument }
  /** Somebody else has changed it since, or deleted it. */
  | { readonly kind: 'conflict'; readonly theirs: StoredDocument | undefined }

interface Acts extends CollectionAddress {
  readonly id: string | undefined
  readonly onSaveEnded: (outcome: SaveOutcome, review: Review) => void
  /** @param text of what was deleted; undefined where it has changed meanwhile, or is gone */
  readonly onDeleteEnded: (text: string | undefined) => void
}

/** Saves and deletes an open document, where it still is as it was read. */
export function useDocumentActs({ slug, collection, id, onSaveEnded, onDeleteEnded }: Acts) {
  const address = { slug, collection }
  const save = useMutation({
    mutationFn: async ({ after, condition }: Review): Promise<SaveOutcome> => {
      try {
        return { kind: 'saved', saved: await saveDocument(address, after, condition) }
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.status === 412 && condition !== 'isNew'
        if (!hasChanged) throw error
        return { kind: 'conflict', theirs: await readDocument(address, id!) }
      }
    },
    onSuccess: onSaveEnded,
  })
  const remove = useMutation({
    mutationFn: async ({ text, etag }: StoredDocument) =>
      (await deleteDocument(address, { id: id!, etag })) ? text : undefined,
    onSuccess: onDeleteEnded,
  })
  return { save, remove }
}
