import { getChunks } from '@codemirror/merge'
import type { EditorState } from '@codemirror/state'
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import styles from './document-panel.module.css'
import { placeholderPattern } from './placeholders.ts'
import type { Review } from './review-document.ts'

interface DocumentDifferenceProps {
  readonly review: Review
  readonly isPending: boolean
  readonly error: Error | null
  readonly onSave: () => void
  readonly onBack: () => void
}

/** What would be saved, beside what is there: by lines, and by words within a line. */
export default function DocumentDifference({
  review,
  isPending,
  error,
  onSave,
  onBack,
}: DocumentDifferenceProps) {
  const { before, after, button, told, isOverwriting = false } = review
  const [lines, setLines] = useState<number>()
  const counting = useMemo(() => countsLines(setLines), [])
  const hasPlaceholders = useMemo(() => placeholderPattern().test(after), [after])
  return (
    <>
      <p className={isOverwriting ? styles.danger : styles.note} aria-live="polite">
        {lines !== undefined && `${DOCUMENT_TEXTS.changes(lines)}; `}
        {told}
        {hasPlaceholders && ` ${DOCUMENT_TEXTS.placeholders}`}
      </p>
      <CodeEditor
        className={styles.editor}
        label={DOCUMENT_TEXTS.difference}
        language="json"
        isDocument
        isReadOnly
        value={after}
        original={before}
        extensions={counting}
        onSubmit={onSave}
        keys={[{ key: 'Escape', run: () => done(onBack) }]}
      />
      <ReadProblem error={error} />
      <div className={styles.acts}>
        <Button look={isOverwriting ? 'danger' : 'main'} isBusy={isPending} onClick={onSave} autoFocus>
          {button}
        </Button>
        <Button onClick={onBack}>{DOCUMENT_TEXTS.back}</Button>
      </div>
    </>
  )
}

function done(act: () => void): true {
  act()
  return true
}

/** Tells how many lines differ, when the difference has been made. */
function countsLines(tell: (lines: number) => void) {
  const count = (state: EditorState) => {
    const chunks = getChunks(state)?.chunks ?? []
    tell(
      chunks.reduce((sum, { fromB, endB }) => {
        const first = state.doc.lineAt(Math.min(fromB, state.doc.length)).number
        return sum + Math.max(1, state.doc.lineAt(Math.min(endB, state.doc.length)).number - first + 1)
      }, 0),
    )
  }
  return ViewPlugin.define((view: EditorView) => {
    count(view.state)
    return { update: ({ docChanged, state }: ViewUpdate) => docChanged && count(state) }
  })
}
