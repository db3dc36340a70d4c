import { useId } from 'react'
import { PERMISSIONS, type TypedRules } from '../key-rules.ts'
import { KEY_TEXTS } from '../texts/keys.ts'
import fieldStyles from './field.module.css'
import { Field } from './field.tsx'
import styles from './rules-fields.module.css'

const { rules: TEXTS } = KEY_TEXTS

interface RulesFieldsProps {
  readonly rules: TypedRules
  readonly onChange: (rules: TypedRules) => void
  /** Whether it may be for other apps, too: only its owner's to say. */
  readonly withApps: boolean
  /** Whether these are of keys that are made later, which end a while after that and on no day of the calendar. */
  readonly areDefaults?: boolean
  /** Whether they are of the key of a site, which is for its app and its pages alone. */
  readonly areOfSite?: boolean
}

/** Every rule of a key, each with what it means. */
export function RulesFields({
  rules,
  onChange,
  withApps,
  areDefaults = false,
  areOfSite = false,
}: RulesFieldsProps) {
  const set = (change: Partial<TypedRules>) => onChange({ ...rules, ...change })
  const lines = (name: 'apps' | 'collections' | 'websites' | 'addresses') => (
    <Lines
      label={TEXTS[name]}
      hint={TEXTS[`${name}Hint`]}
      text={rules[name]}
      onChange={(text) => set({ [name]: text })}
    />
  )
  const line = (name: 'rate' | 'expires' | 'tokenLifetime') => (
    <Field
      name={name}
      label={TEXTS[name]}
      hint={areDefaults && name === 'expires' ? TEXTS.laterExpiresHint : TEXTS[`${name}Hint`]}
      value={rules[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
  const websites = (
    <>
      {lines('websites')}
      <div className={styles.choice}>
        <Choice
          label={TEXTS.localhost}
          isChosen={rules.localhost}
          onChange={(localhost) => set({ localhost })}
        />
        <p className={fieldStyles.hint}>{TEXTS.localhostHint}</p>
      </div>
    </>
  )
  return (
    <>
      <Permissions chosen={rules.permission} onChange={(permission) => set({ permission })} />
      {withApps && !areOfSite && lines('apps')}
      {lines('collections')}
      {areOfSite ? <p className={fieldStyles.hint}>{TEXTS.ofSite}</p> : websites}
      {lines('addresses')}
      <div className={styles.beside}>
        {line('rate')}
        {line('expires')}
        {line('tokenLifetime')}
      </div>
    </>
  )
}

interface PermissionsProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function Permissions({ chosen, onChange }: PermissionsProps) {
  return (
    <fieldset className={styles.permissions}>
      <legend>{TEXTS.permission}</legend>
      <div className={styles.choices}>
        {PERMISSIONS.map((each) => (
          <Choice
            key={each}
            label={each}
            isChosen={chosen.includes(each)}
            onChange={(isChosen) =>
              onChange(isChosen ? [...chosen, each] : chosen.filter((other) => other !== each))
            }
          />
        ))}
      </div>
      <p className={fieldStyles.hint}>{TEXTS.permissionHint}</p>
    </fieldset>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

export function Choice({ label, isChosen, onChange }: ChoiceProps) {
  return (
    <label className={styles.label}>
      <input type="checkbox" checked={isChosen} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}

interface LinesProps {
  readonly label: string
  readonly hint: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A list, with an entry a line. */
export function Lines({ label, hint, text, onChange }: LinesProps) {
  const id = useId()
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        aria-describedby={`${id}-hint`}
        className={`${fieldStyles.input} ${styles.lines}`}
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoCapitalize="none"
        spellCheck={false}
      />
      <p id={`${id}-hint`} className={fieldStyles.hint}>
        {hint}
      </p>
    </div>
  )
}
