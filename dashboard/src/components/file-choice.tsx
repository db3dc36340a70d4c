import { useRef } from 'react'
import { byteCount, TEXTS } from '../texts.ts'
import { useDrop } from '../use-drop.ts'
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
  const take = (files: FileList | null) => {
    const first = files?.[0]
    if (first !== undefined && !isBusy) onFile(first)
  }
  const isOver = useDrop(({ files }) => take(files))
  return (
    <div className={styles.choice} data-over={isOver || undefined}>
      <input
        ref={input}
        type="file"
        hidden
        autoComplete="off"
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
