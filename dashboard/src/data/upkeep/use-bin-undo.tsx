import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api.ts'
import { UndoToast } from '../../components/undo-toast.tsx'
import { Value } from '../../components/value.tsx'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import { type BinEntry, restoreCollection } from './upkeep-api.ts'

const { undo: texts } = UPKEEP_TEXTS

/** Lets what was just put in the bin be taken out again for a while. */
export function useBinUndo(slug: string, onRestored: () => unknown) {
  const [entry, setEntry] = useState<BinEntry>()
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: (wanted: BinEntry) => restoreCollection(slug, wanted),
    onSuccess: onRestored,
  })
  const offer = (done: BinEntry) => {
    reset()
    setEntry(done)
  }
  const isTaken = error instanceof ApiError && error.code === 'collection_exists'
  const toast = (
    <UndoToast
      done={entry}
      words={{ undo: texts.button, close: texts.close }}
      isPending={isPending}
      isUndone={isSuccess}
      error={error}
      onUndo={() => mutate(entry!)}
      onClose={() => setEntry(undefined)}
    >
      {entry !== undefined && (
        <p>
          <Value text={isSuccess ? texts.restored(entry.name) : texts.done(entry.reason, entry.name)} />
          {isTaken && ` ${texts.inBin}`}
        </p>
      )}
    </UndoToast>
  )
  return { offer, toast }
}
