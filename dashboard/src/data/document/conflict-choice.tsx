import { useId } from 'react'
import { Choice, Choices } from '../../components/choice.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import styles from './document-panel.module.css'
import type { Conflict } from './merge-lines.ts'

interface ConflictChoiceProps {
  readonly label: string
  readonly conflict: Conflict
  readonly chosen: 'theirs' | 'mine' | undefined
  readonly onChoose: (side: 'theirs' | 'mine') => void
}

/** Lines that two people changed in two ways, of which one is to be chosen. */
export function ConflictChoice({ label, conflict, chosen, onChoose }: ConflictChoiceProps) {
  const name = useId()
  const texts = DOCUMENT_TEXTS.conflict
  return (
    <Choices label={label}>
      <p className={styles.note}>{texts.base}</p>
      <Lines lines={conflict.base} />
      {(['theirs', 'mine'] as const).map((side) => (
        <div key={side}>
          <Choice
            type="radio"
            name={name}
            label={texts[side]}
            checked={chosen === side}
            onChange={() => onChoose(side)}
          />
          <Lines lines={conflict[side]} />
        </div>
      ))}
    </Choices>
  )
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return <p className={styles.note}>{DOCUMENT_TEXTS.conflict.noLines}</p>
  return (
    <pre className={styles.lines}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move.
        <bdi key={index}>{`${showUnseen(line)}\n`}</bdi>
      ))}
    </pre>
  )
}
