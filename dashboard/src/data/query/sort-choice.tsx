import { Popover } from '@base-ui/react/popover'
import type { ReactNode } from 'react'
import buttonStyles from '../../components/button.module.css'
import { Button } from '../../components/button.tsx'
import { Value } from '../../components/value.tsx'
import { showUnseen } from '../../show-unseen.ts'
import { DATA_TEXTS } from '../../texts/data.ts'
import { AddField, OrderedFields } from './ordered-fields.tsx'
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
  return (
    <Choice label={sortLabel(entries)}>
      {entries?.length === 0 && <p className={styles.dim}>{DATA_TEXTS.natural}</p>}
      <OrderedFields
        entries={entries ?? []}
        onChange={(next) => onChange(formatSortText(next))}
        label={DATA_TEXTS.sortField}
        names={names}
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
