import { useMemo } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { DATA_TEXTS } from '../../texts/data.ts'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import { useSettled } from '../../use-settled.ts'
import { checkDocument, withoutId } from './check-document.ts'
import styles from './document-panel.module.css'
import { toldAt } from './review-document.ts'
import type { useDraft } from './use-draft.ts'

/** How long typing has to pause before what is wrong shows. */
const SETTLES_MS = 300

interface DocumentTextProps {
  readonly draft: ReturnType<typeof useDraft>
  readonly mayWrite: boolean
  /** Whether something else is in its place for a while. */
  readonly isHidden: boolean
  /** What became of the last thing that was done. */
  readonly told: string | undefined
  readonly error: Error | null
  readonly isSaving: boolean
  readonly isDeleting: boolean
  /** A command that reads the document; empty for a new one. */
  readonly curl: string
  readonly onSubmit: () => void
  readonly onDelete: () => void
  readonly onDuplicate?: (text: string) => void
}

/** The text of a document to be read and changed, and what can be done with it. */
export function DocumentText(props: DocumentTextProps) {
  const { draft, mayWrite, isHidden, told, error, onSubmit } = props
  const { text, isChanged, isKept, isRestored, setText } = draft
  const settled = useSettled(text, SETTLES_MS)
  // What is hidden was checked when it was sent away.
  const isUnchecked = isHidden || settled === draft.base.text
  const problem = useMemo(
    () => (isUnchecked ? undefined : checkDocument(settled).problem),
    [settled, isUnchecked],
  )
  const problems = useMemo(() => (problem === undefined ? [] : [problem]), [problem])
  return (
    <div className={styles.body} hidden={isHidden}>
      <div className={styles.notes} role="status">
        {problem !== undefined && <p className={styles.wrong}>{showUnseen(toldAt(settled, problem))}</p>}
        {problem === undefined && told !== undefined && <p>{showUnseen(told)}</p>}
        {isChanged && (
          <p className={styles.unsaved}>
            {isRestored ? DOCUMENT_TEXTS.restoredDraft : DOCUMENT_TEXTS.unsaved}
            {!isKept && ` ${DOCUMENT_TEXTS.notKept}`}
          </p>
        )}
      </div>
      <CodeEditor
        className={styles.editor}
        label={DOCUMENT_TEXTS.editor}
        language="json"
        isDocument
        isReadOnly={!mayWrite}
        isFocused={mayWrite && !isHidden && (isChanged || draft.base.stored === undefined)}
        value={text}
        onChange={setText}
        problems={problems}
        onSubmit={onSubmit}
        keys={[{ key: 'Mod-s', run: () => saved(onSubmit) }]}
      />
      <ReadProblem error={error} />
      <Acts {...props} />
    </div>
  )
}

function saved(submit: () => void): true {
  submit()
  return true
}

function Acts(props: DocumentTextProps) {
  const { draft, mayWrite, isSaving, isDeleting, curl, onSubmit, onDelete, onDuplicate } = props
  const { base, isChanged } = draft
  const { stored } = base
  return (
    <div className={styles.acts}>
      {mayWrite && (
        <Button
          look="main"
          isBusy={isSaving}
          disabled={!isChanged && stored !== undefined}
          onClick={onSubmit}
        >
          {stored === undefined ? DOCUMENT_TEXTS.create : DOCUMENT_TEXTS.showChanges}
        </Button>
      )}
      {stored !== undefined && <CopyButton text={stored.text} label={DOCUMENT_TEXTS.copy} />}
      {stored !== undefined && <CopyButton text={curl} label={DATA_TEXTS.curl} words={DATA_TEXTS.curl} />}
      {mayWrite && stored !== undefined && onDuplicate !== undefined && (
        <>
          <Button onClick={() => onDuplicate(withoutId(stored.text))}>{DOCUMENT_TEXTS.duplicate}</Button>
          <Button isBusy={isDeleting} onClick={onDelete}>
            {DOCUMENT_TEXTS.remove}
          </Button>
        </>
      )}
      {mayWrite && isChanged && (
        <Button onClick={() => draft.setText(base.text)}>{DOCUMENT_TEXTS.discard}</Button>
      )}
    </div>
  )
}
