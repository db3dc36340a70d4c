import { useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import type { StoredDocument } from '../documents-api.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import styles from './document-panel.module.css'
import { type Conflict, isConflict, joinLines, mergeLines } from './merge-lines.ts'
import { prettyPrint } from './pretty-print.ts'
import type { Base, Review } from './review-document.ts'

interface DocumentConflictProps {
  /** What both began with, as it was shown. */
  readonly base: string
  readonly theirs: StoredDocument
  /** Mine, as it was typed. */
  readonly text: string
  readonly onMerged: (text: string, theirs: Base) => void
  readonly onOverwrite: (review: Review) => void
  readonly onBack: () => void
}

/** What two people have made of one document. What only one of them changed is merged, the rest is to be chosen. */
export default function DocumentConflict({
  base,
  theirs: stored,
  text,
  onMerged,
  onOverwrite,
  onBack,
}: DocumentConflictProps) {
  const sides = useMemo(
    () => ({ base, theirs: prettyPrint(stored.text), mine: prettyPrint(text) }),
    [base, stored, text],
  )
  const parts = useMemo(() => mergeLines(sides), [sides])
  const conflicts = parts.filter(isConflict)
  const [chosen, setChosen] = useState<ReadonlyMap<Conflict, 'theirs' | 'mine'>>(new Map())
  const texts = DOCUMENT_TEXTS.conflict
  const isDecided = conflicts.every((conflict) => chosen.has(conflict))
  const use = () => {
    const lines = parts.flatMap((part) => (isConflict(part) ? part[chosen.get(part)!] : part))
    onMerged(joinLines(lines), { stored, text: sides.theirs })
  }
  const overwrite = () =>
    onOverwrite({
      before: sides.theirs,
      after: sides.mine,
      condition: { ifMatch: stored.etag },
      button: texts.overwrite,
      told: texts.overwriting,
      isOverwriting: true,
    })
  return (
    <>
      <section className={styles.conflict} aria-label={texts.title}>
        <h3>{texts.title}</h3>
        <p>{conflicts.length === 0 ? texts.merged : texts.choose}</p>
        {conflicts.map((conflict, index) => (
          <ConflictChoice
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move.
            key={index}
            label={texts.choiceOf(index + 1, conflicts.length)}
            conflict={conflict}
            chosen={chosen.get(conflict)}
            onChoose={(side) => setChosen(new Map([...chosen, [conflict, side]]))}
          />
        ))}
        <Changes label={texts.theirChanges} before={sides.base} after={sides.theirs} />
        <Changes label={texts.yourChanges} before={sides.base} after={sides.mine} />
      </section>
      <div className={styles.acts}>
        <Button look="main" disabled={!isDecided} onClick={use}>
          {texts.use}
        </Button>
        <Button onClick={onBack}>{texts.back}</Button>
        <Button look="danger" onClick={overwrite}>
          {texts.overwrite}
        </Button>
      </div>
    </>
  )
}

interface ChangesProps {
  readonly label: string
  readonly before: string
  readonly after: string
}

function Changes({ label, before, after }: ChangesProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className={styles.summary}>{label}</summary>
      {isOpen && (
        <CodeEditor
          className={styles.changes}
          label={label}
          language="json"
          isReadOnly
          value={after}
          original={before}
        />
      )}
    </details>
  )
}
