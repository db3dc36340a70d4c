import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Overlay } from '../../components/overlay.tsx'
import { UndoToast } from '../../components/undo-toast.tsx'
import { Value } from '../../components/value.tsx'
import { loaded } from '../../loaded.tsx'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import { type BinEntry, isNameTaken, type NamedCollection, restoreCollection } from './upkeep-api.ts'

const RestoreAsDialog = loaded(() => import('./restore-as-dialog.tsx'))

const { undo: texts } = UPKEEP_TEXTS

/** Lets what was just put in the bin be taken out again for a while; under another name where its own is used again. */
export function useBinUndo(slug: string, onRestored: () => unknown) {
  const [entry, setEntry] = useState<BinEntry>()
  const [restored, setRestored] = useState<string>()
  const [taken, setTaken] = useState<BinEntry>()
  const back = ({ name }: NamedCollection) => {
    setRestored(name)
    return onRestored()
  }
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (wanted: BinEntry) => restoreCollection(slug, wanted),
    onSuccess: back,
    onError: (failure, wanted) => {
      if (isNameTaken(failure)) setTaken(wanted)
    },
  })
  const offer = (done: BinEntry) => {
    reset()
    setRestored(undefined)
    setEntry(done)
  }
  const close = () => setTaken(undefined)
  const toast = (
    <>
      <UndoToast
        done={entry}
        words={{ undo: texts.button, close: texts.close }}
        isPending={isPending}
        isUndone={restored !== undefined}
        error={isNameTaken(error) ? null : error}
        onUndo={() => mutate(entry!)}
        onClose={() => setEntry(undefined)}
      >
        {entry !== undefined && (
          <p>
            <Value
              text={restored === undefined ? texts.done(entry.reason, entry.name) : texts.restored(restored)}
            />
          </p>
        )}
      </UndoToast>
      {taken !== undefined && (
        <Overlay onClose={close}>
          <RestoreAsDialog
            slug={slug}
            entry={taken}
            onDone={(named) => {
              close()
              setEntry(taken)
              return back(named)
            }}
            onClose={close}
          />
        </Overlay>
      )}
    </>
  )
  return { offer, toast }
}
