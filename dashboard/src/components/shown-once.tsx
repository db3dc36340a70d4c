import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import formStyles from './form.module.css'
import styles from './shown-once.module.css'
import { Snippet } from './snippet.tsx'

interface ShownOnceProps {
  readonly note: string
  /** What it is, for those who don't see it. */
  readonly label: string
  /** What can't be had again. */
  readonly secret: string
  /** The name of the file that it can be saved in. */
  readonly file?: string
  /** Puts it away; without it there is no way but to leave the page. */
  readonly onDone?: () => void
}

/** A secret that the server shows this once: to be copied, or saved as a file. */
export function ShownOnce({ note, label, secret, file, onDone }: ShownOnceProps) {
  return (
    <div className={styles.box}>
      <p role="status">{note}</p>
      <Snippet text={secret} label={label} isWrapped />
      {(file !== undefined || onDone !== undefined) && (
        <div className={formStyles.acts}>
          {file !== undefined && <Button onClick={() => save(secret, file)}>{TEXTS.download}</Button>}
          {onDone !== undefined && <Button onClick={onDone}>{TEXTS.done}</Button>}
        </div>
      )}
    </div>
  )
}

function save(text: string, file: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = file
  link.click()
  URL.revokeObjectURL(link.href)
}
