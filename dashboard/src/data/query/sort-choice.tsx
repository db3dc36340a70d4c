import { Popover } from '@base-ui/react/popover'
import { type FormEvent, type ReactNode, useId } from 'react'
import buttonStyles from '../../components/button.module.css'
import { Button } from '../../components/button.tsx'
import { Value } from '../../components/value.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { DATA_TEXTS } from '../../texts/data.ts'
import styles from './query-bar.module.css'
import {
  formatFieldsText,
  formatSortText,
  parseFieldsText,
  parseSortText,
  type SortEntry,
} from './sort-text.ts'

interface ChoiceProps {
  /** The JSON text of `s` or `f`. */
  readonly text: string
  /** Of the fields that were seen. */
  readonly names: readonly string[]
  readonly onChange: (text: string) => void
}

/** By which fields, and in which direction each. */
export function SortChoice({ text, names, onChange }: ChoiceProps) {
  const entries = parseSortText(text)
  const change = (next: readonly SortEntry[]) => onChange(formatSortText(next))
  return (
    <Choice label={sortLabel(entries)}>
      {entries?.length === 0 && <p className={styles.dim}>{DATA_TEXTS.natural}</p>}
      <ul className={styles.entries}>
        {entries?.map((entry, index) => (
          <li key={entry.name}>
            <Value text={entry.name} />
            <Button
              aria-label={DATA_TEXTS.turn(entry.name)}
              onClick={() => change(entries.with(index, { ...entry, isAscending: !entry.isAscending }))}
            >
              {entry.isAscending ? DATA_TEXTS.ascending : DATA_TEXTS.descending}
            </Button>
            <Button
              look="quiet"
              aria-label={DATA_TEXTS.remove(entry.name)}
              onClick={() => change(entries.toSpliced(index, 1))}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      <AddField
        label={DATA_TEXTS.sortField}
        names={names}
        onAdd={(name) =>
          change([...(entries ?? []).filter((each) => each.name !== name), { name, isAscending: true }])
        }
      />
    </Choice>
  )
}

/** Which fields of each document. */
export function FieldsChoice({ text, names, onChange }: ChoiceProps) {
  const chosen = parseFieldsText(text)
  const all = [...new Set([...names, ...(chosen ?? [])])]
  const toggle = (name: string, isChosen: boolean) => {
    const rest = (chosen ?? []).filter((each) => each !== name)
    onChange(formatFieldsText(isChosen ? [...rest, name] : rest))
  }
  return (
    <Choice label={fieldsLabel(chosen)}>
      <Button onClick={() => onChange('')}>{DATA_TEXTS.allFields}</Button>
      <ul className={styles.entries}>
        {all.map((name) => (
          <li key={name}>
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={chosen?.includes(name) ?? false}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
              <Value text={name} />
            </label>
          </li>
        ))}
      </ul>
      <AddField label={DATA_TEXTS.otherField} names={names} onAdd={(name) => toggle(name, true)} />
    </Choice>
  )
}

function Choice({ label: given, children }: { readonly label: string; readonly children: ReactNode }) {
  const label = showUnseen(given)
  return (
    <Popover.Root>
      <Popover.Trigger className={`${buttonStyles.button} ${styles.choice}`}>{label}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="end" className={styles.positioner}>
          <Popover.Popup className={styles.popup} aria-label={label}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface AddFieldProps {
  readonly label: string
  readonly names: readonly string[]
  readonly onAdd: (name: string) => void
}

function AddField({ label, names, onAdd }: AddFieldProps) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React passes it on to the form that this is drawn in, though it stands outside of that.
    event.stopPropagation()
    const form = event.currentTarget
    const name = new FormData(form).get('name') as string
    if (name !== '') onAdd(name)
    form.reset()
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.beside}>
        <input
          id={id}
          name="name"
          list={`${id}-names`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <datalist id={`${id}-names`}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit">{DATA_TEXTS.add}</Button>
      </div>
      {names.some((name) => name.includes('.')) && <p className={styles.dim}>{DATA_TEXTS.dotted}</p>}
    </form>
  )
}

function sortLabel(entries: readonly SortEntry[] | undefined): string {
  if (entries === undefined) return DATA_TEXTS.sortCustom
  const [first, second] = entries
  if (first === undefined) return DATA_TEXTS.sort
  return second === undefined
    ? DATA_TEXTS.sortBy(first.name, first.isAscending)
    : DATA_TEXTS.sortMore(entries.length)
}

function fieldsLabel(chosen: readonly string[] | undefined): string {
  if (chosen === undefined) return DATA_TEXTS.fieldsCustom
  return chosen.length === 0 ? DATA_TEXTS.fieldsAll : DATA_TEXTS.fieldsSome(chosen.length)
}
