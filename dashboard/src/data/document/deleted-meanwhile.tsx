import { Button } from '../../components/button.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import styles from './document-panel.module.css'

interface DeletedMeanwhileProps {
  readonly isPending: boolean
  readonly error: Error | null
  readonly onSave: () => void
  readonly onBack: () => void
}

/** Says that what was being changed is gone, and offers to make it again. */
export function DeletedMeanwhile({ isPending, error, onSave, onBack }: DeletedMeanwhileProps) {
  const { title, explained } = DOCUMENT_TEXTS.deletedMeanwhile
  return (
    <>
      <div className={styles.conflict} role="alert">
        <h3>{title}</h3>
        <p>{explained}</p>
        <ReadProblem error={error} />
      </div>
      <div className={styles.acts}>
        <Button look="main" isBusy={isPending} onClick={() => !isPending && onSave()} autoFocus>
          {DOCUMENT_TEXTS.saveNew}
        </Button>
        <Button onClick={onBack}>{DOCUMENT_TEXTS.back}</Button>
      </div>
    </>
  )
}
