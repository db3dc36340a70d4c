import { type FormEvent, useId } from 'react'
import { Button } from '../../components/button.tsx'
import { Value } from '../../components/value.tsx'
import { DATA_TEXTS } from '../../texts/data.ts'
import styles from './query-bar.module.css'
import type { SortEntry } from './sort-text.ts'

interface OrderedFieldsProps {
  readonly entries: readonly SortEntry[]
  readonly onChange: (entries: readonly SortEntry[]) => void
  /** For the one that is added. */
  readonly label: string
  /** Of the fields that were seen. */
  readonly names: readonly string[]
}

/** Fields in their order, each in one of two directions. */
export function OrderedFields({ entries, onChange, label, names }: OrderedFieldsProps) {
  return (
    <>
      <ul className={styles.entries}>
        {entries.map((entry, index) => (
          <li key={entry.name}>
            <Value text={entry.name} />
            <Button
              aria-label={DATA_TEXTS.turn(entry.name)}
              onClick={() => onChange(entries.with(index, { ...entry, isAscending: !entry.isAscending }))}
            >
              {entry.isAscending ? DATA_TEXTS.ascending : DATA_TEXTS.descending}
            </Button>
            <Button
              look="quiet"
              aria-label={DATA_TEXTS.remove(entry.name)}
              onClick={() => onChange(entries.toSpliced(index, 1))}
            >
              ×
            </Button>
          </li>
        ))}
      </ul>
      <AddField
        label={label}
        names={names}
        onAdd={(name) =>
          onChange([...entries.filter((each) => each.name !== name), { name, isAscending: true }])
        }
      />
    </>
  )
}

interface AddFieldProps {
  readonly label: string
  readonly names: readonly string[]
  readonly onAdd: (name: string) => void
}

export function AddField({ label, names, onAdd }: AddFieldProps) {
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
