import { Choice } from '../../components/choice.tsx'
import { Section } from '../../components/page.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { useChangePreferences, usePreferences } from '../../preferences.ts'
import { KEYBOARD_TEXTS } from '../../texts/palette.ts'

/** Whether single letters do something, which is in the way of who speaks instead of typing (WCAG 2.2, 2.1.4). */
export function Keyboard() {
  const { data, error, refetch } = usePreferences()
  const { mutate, variables, error: saveError, isPending } = useChangePreferences()
  const { hasLetterKeys = true } = { ...data, ...(isPending && variables) }
  return (
    <Section title={KEYBOARD_TEXTS.title} note={KEYBOARD_TEXTS.note}>
      <ReadProblem error={error} onAgain={refetch} />
      {data !== undefined && (
        <Choice
          type="checkbox"
          name="hasLetterKeys"
          label={KEYBOARD_TEXTS.hasLetterKeys}
          checked={hasLetterKeys}
          onChange={(event) => mutate({ hasLetterKeys: event.currentTarget.checked })}
        />
      )}
      <ReadProblem error={saveError} />
    </Section>
  )
}
