import { ActDialog } from '../../components/act-dialog.tsx'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { type BinEntry, binCollection } from './upkeep-api.ts'

interface BinDialogProps {
  readonly address: CollectionAddress
  readonly documents: number
  readonly reason: BinEntry['reason']
  readonly onBinned: (entry: BinEntry | undefined) => void
  readonly onClose: () => void
}

/** Puts a collection in the bin, or what is in it. */
export default function BinDialog({ address, documents, reason, onBinned, onClose }: BinDialogProps) {
  const { title, explained, button } = UPKEEP_TEXTS[reason]
  return (
    <ActDialog
      title={title(address.collection)}
      explained={explained(documents)}
      button={button}
      typed={documents === 0 ? undefined : documents}
      act={() => binCollection(address, reason)}
      onDone={(entry) => onBinned(entry ?? undefined)}
      onClose={onClose}
    />
  )
}
