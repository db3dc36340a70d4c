import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import { UndoToast } from '../../components/undo-toast.tsx'
import { Value } from '../../components/value.tsx'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import { type CollectionAddress, saveDocument } from '../documents-api.ts'

export interface DeletedDocument {
  /** JSON text. */
  readonly id: string
  readonly text: string
}

interface Restored {
  readonly count: number
  /** Ids that somebody has used again. */
  readonly kept: readonly string[]
}

/** Lets deletions be undone for a while; one more within that time goes with those before. What has been made again meanwhile is never overwritten. */
export function useUndoDeletion(address: CollectionAddress, onRestored: () => unknown) {
  const [deleted, setDeleted] = useState<readonly DeletedDocument[]>([])
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => restore(address, deleted),
    onSuccess: onRestored,
  })
  const close = () => setDeleted([])
  const offer = (documents: readonly DeletedDocument[]) => {
    reset()
    // What is being restored, or was, is told of no more.
    const isOver = data !== undefined || isPending
    setDeleted((before) => (isOver ? documents : latestOf([...before, ...documents])))
  }
  const { undo } = DOCUMENT_TEXTS
  const toast = (
    <UndoToast
      done={deleted.length === 0 ? undefined : deleted}
      words={{ undo: undo.button, close: undo.close }}
      isPending={isPending}
      isUndone={data !== undefined}
      error={error}
      onUndo={mutate}
      onClose={close}
    >
      <p>{data === undefined ? undo.deleted(deleted.length) : undo.restored(data.count)}</p>
      {data !== undefined && data.kept.length > 0 && (
        <p>
          <Value text={undo.kept(data.kept.join(', '))} />
        </p>
      )}
    </UndoToast>
  )
  return { offer, close, toast }
}

/** Of each `_id` what was deleted last, for somebody may have made it again between. */
function latestOf(documents: readonly DeletedDocument[]): readonly DeletedDocument[] {
  return [...new Map(documents.map((each) => [each.id, each])).values()]
}

async function restore(address: CollectionAddress, documents: readonly DeletedDocument[]): Promise<Restored> {
  const kept: string[] = []
  for (const { id, text } of documents) {
    try {
      await saveDocument(address, text, 'isNew')
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error
      kept.push(id)
    }
  }
  return { count: documents.length - kept.length, kept }
}
