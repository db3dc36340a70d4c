import { type ReactNode, useEffect } from 'react'
import { Button } from './button.tsx'
import { ReadProblem } from './read-problem.tsx'
import styles from './undo-toast.module.css'

/** How long something can be undone by it. */
const UNDO_MS = 30_000

interface UndoToastProps {
  /** What was done, and stands for as long as it can be undone; nothing shows where it is undefined. */
  readonly done: object | undefined
  readonly words: { readonly undo: string; readonly close: string }
  readonly isPending: boolean
  /** Whether it has been undone. */
  readonly isUndone: boolean
  readonly error: Error | null
  readonly onUndo: () => void
  readonly onClose: () => void
  /** What is said of it. */
  readonly children: ReactNode
}

/** Says what was just done, and lets it be undone for a while. */
export function UndoToast({
  done,
  words,
  isPending,
  isUndone,
  error,
  onUndo,
  onClose,
  children,
}: UndoToastProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what else is done begins the time anew, another function doesn't.
  useEffect(() => {
    if (done === undefined || isPending) return
    const timer = setTimeout(onClose, UNDO_MS)
    return () => clearTimeout(timer)
  }, [done, isPending])
  return (
    <div role="status" className={styles.place}>
      {done !== undefined && (
        <div className={styles.toast}>
          {children}
          <ReadProblem error={error} />
          {!isUndone && (
            <Button isBusy={isPending} onClick={() => !isPending && onUndo()}>
              {words.undo}
            </Button>
          )}
          <Button look="quiet" onClick={onClose}>
            {words.close}
          </Button>
        </div>
      )}
    </div>
  )
}
