import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { loaded } from '../../loaded.tsx'
import { BULK_TEXTS } from '../../texts/bulk.ts'
import type { DeletedDocument } from '../document/undo-deletion.tsx'
import type { BulkParts } from './use-bulk-target.ts'

const UpdateDialog = loaded(() => import('./update-dialog.tsx'))
const DeleteDialog = loaded(() => import('./delete-dialog.tsx'))

interface BulkActsProps extends BulkParts {
  /** Reads anew what was changed. */
  readonly onDone: () => void
  /** Offers to undo it. */
  readonly onDeleted: (documents: readonly DeletedDocument[]) => void
}

/** What is done to many documents at once. */
export function BulkActs({ onDone, onDeleted, ...parts }: BulkActsProps) {
  const [open, setOpen] = useState<'update' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onClick={() => setOpen('update')}>{BULK_TEXTS.update}</Button>
      <Button onClick={() => setOpen('delete')}>{BULK_TEXTS.remove}</Button>
      {open === 'update' && <UpdateDialog {...parts} onClose={close} onDone={onDone} />}
      {open === 'delete' && (
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
    </>
  )
}
