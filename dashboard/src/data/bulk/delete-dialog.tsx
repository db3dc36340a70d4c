import { ApiError } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { BULK_TEXTS } from '../../texts/bulk.ts'
import type { DeletedDocument } from '../document/undo-deletion.tsx'
import { deleteChosen, deleteMatching } from './bulk-api.ts'
import { MANY } from './bulk-target.ts'
import { TargetChoice } from './target-choice.tsx'
import { type BulkParts, useBulkTarget } from './use-bulk-target.ts'

interface DeleteDialogProps extends BulkParts {
  readonly onClose: () => void
  readonly onDone: () => void
  /** Offers to undo it. */
  readonly onDeleted: (documents: readonly DeletedDocument[]) => void
}

/** Deletes what is chosen, or all that match: few so that it can be undone, many by their exact number. */
export default function DeleteDialog({ onClose, onDone, onDeleted, ...parts }: DeleteDialogProps) {
  const { kind, setKind, matching, query, count, recount } = useBulkTarget(parts)
  const texts = BULK_TEXTS.deleting
  const isUndoable = kind === 'chosen' && parts.ids.length <= MANY
  const act = async () => {
    if (isUndoable) return deleteUndoably()
    if (query === undefined) throw new ApiError(BULK_TEXTS.tooMany, { code: 'too_many_chosen', status: 400 })
    try {
      await deleteMatching(parts.address, { q: query, count: count! })
    } catch (error) {
      // Where another number matches by now, it is that which is to be looked at and typed.
      recount().catch(() => undefined)
      throw error
    }
  }
  const deleteUndoably = async () => {
    const deleted: DeletedDocument[] = []
    try {
      await deleteChosen(parts.address, parts.ids, (document) => deleted.push(document))
    } finally {
      if (deleted.length > 0) onDeleted(deleted)
    }
  }
  return (
    <ActDialog
      title={texts.title}
      explained={
        count === undefined ? BULK_TEXTS.counting : isUndoable ? texts.undoable(count) : texts.final(count)
      }
      button={count === undefined ? texts.title : texts.button(count)}
      typed={count !== undefined && count <= MANY ? undefined : (count ?? BULK_TEXTS.counting)}
      act={act}
      onDone={onDone}
      onClose={onClose}
    >
      <TargetChoice chosen={parts.ids.length} matching={matching} kind={kind} onChange={setKind} />
    </ActDialog>
  )
}
