import { saveText } from '../save-file.ts'
import { showUnseen } from '../show-unseen.ts'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import formStyles from './form.module.css'
import styles from './shown-once.module.css'

interface ShownOnceProps {
  readonly note: string
  /** What it is, for those who don't see it. */
  readonly label: string
  /** What can't be had again. */
  readonly secret: string
  /** The name of the file that it can be saved in. */
  readonly file?: string
  readonly onDone: () => void
}

/** A secret that the server shows this once: to be copied, or saved as a file. */
export function ShownOnce({ note, label, secret, file, onDone }: ShownOnceProps) {
  return (
    <div className={styles.box} role="status">
      <p>{showUnseen(note)}</p>
      <pre className={styles.secret}>
        <bdi>{secret}</bdi>
      </pre>
      <div className={formStyles.acts}>
        <CopyButton text={secret} label={label} />
        {file !== undefined && (
          <Button onClick={() => saveText(`${secret}\n`, { name: file, type: 'text/plain' })}>
            {TEXTS.download}
          </Button>
        )}
        <Button onClick={onDone}>{TEXTS.done}</Button>
      </div>
    </div>
  )
}
