import { Choice, Choices } from '../../components/choice.tsx'
import { BULK_TEXTS } from '../../texts/bulk.ts'

export type TargetKind = 'chosen' | 'matching'

interface TargetChoiceProps {
  /** How many are chosen. */
  readonly chosen: number
  /** How many match, where that is known. */
  readonly matching: number | undefined
  readonly kind: TargetKind
  readonly onChange: (kind: TargetKind) => void
}

/** Whether something is done to what was chosen or to all that match. */
export function TargetChoice({ chosen, matching, kind, onChange }: TargetChoiceProps) {
  const labels = { chosen: BULK_TEXTS.chosen(chosen), matching: BULK_TEXTS.matching(matching) }
  const kinds = chosen > 0 ? (['chosen', 'matching'] as const) : (['matching'] as const)
  return (
    <Choices label={BULK_TEXTS.which}>
      {kinds.map((each) => (
        <Choice
          key={each}
          type="radio"
          name="target"
          label={labels[each]}
          checked={kind === each}
          onChange={() => onChange(each)}
        />
      ))}
    </Choices>
  )
}
