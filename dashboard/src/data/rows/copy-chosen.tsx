import type { RefObject } from 'react'
import { stringify } from '../../../../src/json/stringify.ts'
import { Button } from '../../components/button.tsx'
import toastStyles from '../../components/undo-toast.module.css'
import { GRID_TEXTS } from '../../texts/grid.ts'
import { TEXTS } from '../../texts.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { formatCells } from './copy-cells.ts'
import { useCopy } from './use-copy.ts'

interface CopyChosenProps {
  readonly address: CollectionAddress
  /** JSON texts. */
  readonly ids: readonly string[]
  /** Names of the columns on screen; none where it shows no table. */
  readonly columns: RefObject<readonly string[]>
}

/** Copies what is chosen, for whoever has no keys for it: cells of a table as TSV, and else documents as lines of JSON. */
export function CopyChosen({ address, ids, columns }: CopyChosenProps) {
  const { copy, told } = useCopy(address)
  const run = () => {
    const fields = columns.current
    if (fields.length === 0) copy({ ids, format: (documents) => documents.map(stringify).join('\n') })
    else copy({ ids, fields, format: (documents) => formatCells(documents, fields) })
  }
  return (
    <>
      <Button aria-label={GRID_TEXTS.copyChosen(ids.length)} onClick={run}>
        {TEXTS.copy}
      </Button>
      <div role="status" className={toastStyles.place}>
        {told !== '' && <p className={toastStyles.toast}>{told}</p>}
      </div>
    </>
  )
}
