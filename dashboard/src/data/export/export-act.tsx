import { type RefObject, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Overlay } from '../../components/overlay.tsx'
import { loaded } from '../../loaded.tsx'
import { EXPORTS } from '../../shortcuts.ts'
import { EXPORT_TEXTS } from '../../texts/export.ts'
import type { CollectionAddress } from '../documents-api.ts'
import type { View } from '../view-url.ts'

const ExportDialog = loaded(() => import('./export-dialog.tsx'))

interface ExportActProps {
  readonly address: CollectionAddress
  readonly view: Pick<View, 'q' | 's' | 'f'>
  /** Names of the columns on screen. */
  readonly columns: RefObject<readonly string[]>
}

/** Opens what takes documents out as a file. */
export function ExportAct({ address, view, columns }: ExportActProps) {
  const [shown, setShown] = useState<readonly string[]>()
  const close = () => setShown(undefined)
  return (
    <>
      <Button onClick={() => setShown(columns.current)} {...EXPORTS}>
        {EXPORT_TEXTS.button}
      </Button>
      {shown !== undefined && (
        <Overlay onClose={close}>
          <ExportDialog address={address} view={view} columns={shown} onClose={close} />
        </Overlay>
      )}
    </>
  )
}
