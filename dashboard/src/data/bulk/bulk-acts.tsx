import { Button } from '../../components/button.tsx'
import { Overlay } from '../../components/overlay.tsx'
import { loaded } from '../../loaded.tsx'
import { BULK_TEXTS } from '../../texts/bulk.ts'
import type { DeletedDocument } from '../document/undo-deletion.tsx'
import type { BulkParts } from './use-bulk-target.ts'

const UpdateDialog = loaded(() => import('./update-dialog.tsx'))
const DeleteDialog = loaded(() => import('./delete-dialog.tsx'))

export type BulkAct = 'update' | 'delete'

interface BulkActsProps extends BulkParts {
  /** What is being done. */
  readonly act: BulkAct | undefined
  readonly onAct: (act: BulkAct | undefined) => void
  /** Reads anew what was changed. */
  readonly onDone: () => void
  /** Offers to undo it. */
  readonly onDeleted: (documents: readonly DeletedDocument[]) => void
}

/** What is done to many documents at once. */
export function BulkActs({ act, onAct, onDone, onDeleted, ...parts }: BulkActsProps) {
  const close = () => onAct(undefined)
  return (
    <>
      <Button onClick={() => onAct('update')}>{BULK_TEXTS.update}</Button>
      <Button onClick={() => onAct('delete')}>{BULK_TEXTS.remove}</Button>
      {act !== undefined && (
        <Overlay onClose={close}>
          {act === 'update' && <UpdateDialog {...parts} onClose={close} onDone={onDone} />}
          {act === 'delete' && (
            <DeleteDialog
              {...parts}
              onClose={close}
              onDone={() => {
                close()
                onDone()
              }}
              onDeleted={onDeleted}
            />
          )}
        </Overlay>
      )}
    </>
  )
}
