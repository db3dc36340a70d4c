import { useEffect, useRef, useState } from 'react'
import { byteCount, TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './file-choice.module.css'
import { Value } from './value.tsx'

interface FileChoiceProps {
  readonly file: File | undefined
  /** What files are good for it. */
  readonly hint: string
  /** Such as `.csv,.json`; others can be chosen all the same. */
  readonly accept: string
  /** Whether it can't be changed for now. */
  readonly isBusy: boolean
  readonly onFile: (file: File) => void
}

/** Takes a file that is chosen, or dropped anywhere on the page. */
export function FileChoice({ file, hint, accept, isBusy, onFile }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null | undefined) => {
    const first = files?.[0]
    if (first !== undefined && !isBusy) onFile(first)
  }
  const isOver = useDrop(take)
  return (
    <div className={styles.choice} data-over={isOver || undefined}>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          // So that the same file can be chosen again, when it has changed.
          currentTarget.value = ''
        }}
      />
      {file !== undefined && (
        <p className={styles.file}>
          <Value text={file.name} />
          <span className={styles.dim}>{byteCount(file.size)}</span>
        </p>
      )}
      <div className={styles.acts}>
        <Button
          look={file === undefined ? 'main' : 'plain'}
          isBusy={isBusy}
          onClick={() => isBusy || input.current?.click()}
        >
          {file === undefined ? TEXTS.file.choose : TEXTS.file.other}
        </Button>
        <span className={styles.drop}>{TEXTS.file.drop}</span>
      </div>
      {file === undefined && <p className={styles.dim}>{hint}</p>}
    </div>
  )
}

/** Whether files are held over the window; a browser would open what is dropped, in the place of the page. */
function useDrop(onDrop: (files: FileList | undefined) => void): boolean {
  const latest = useRef(onDrop)
  latest.current = onDrop
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const ofFiles = (act: (event: DragEvent) => void) => (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      act(event)
    }
    const over = ofFiles(() => setIsOver(true))
    const leave = ofFiles(({ relatedTarget }) => relatedTarget === null && setIsOver(false))
    const drop = ofFiles(({ dataTransfer }) => {
      setIsOver(false)
      latest.current(dataTransfer?.files)
    })
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
