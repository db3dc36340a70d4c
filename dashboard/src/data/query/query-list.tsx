import { Popover } from '@base-ui/react/popover'
import { type FormEvent, useId } from 'react'
import buttonStyles from '../../components/button.module.css'
import { Button } from '../../components/button.tsx'
import { Value } from '../../components/value.tsx'
import { DATA_TEXTS } from '../../texts/data.ts'
import styles from './query-bar.module.css'
import type { Asked, useQueryHistory } from './query-history.ts'

interface QueryListProps {
  readonly history: ReturnType<typeof useQueryHistory>
  /** What is typed, to be named. */
  readonly current: Asked
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly onChoose: (asked: Asked) => void
}

/** What was looked for in the collection before, and what has a name. */
export function QueryList({ history, current, isOpen, onOpenChange, onChoose }: QueryListProps) {
  const { asked, named } = history
  const choose = ({ q, s, f }: Asked) => {
    onOpenChange(false)
    onChoose({ q, s, f })
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger className={`${buttonStyles.button} ${styles.choice}`}>
        {DATA_TEXTS.history}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="end" className={styles.positioner}>
          <Popover.Popup className={styles.popup} aria-label={DATA_TEXTS.history}>
            {named.length > 0 && <h2>{DATA_TEXTS.named}</h2>}
            <ul className={styles.entries}>
              {named.map((each) => (
                <li key={each.name}>
                  <Button look="quiet" className={styles.asked} onClick={() => choose(each)}>
                    <Value text={each.name} />
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={DATA_TEXTS.forget(each.name)}
                    onClick={() => history.forget(each.name)}
                  >
                    ×
                  </Button>
                </li>
              ))}
            </ul>
            {asked.length > 0 && <h2>{DATA_TEXTS.asked}</h2>}
            <ul className={styles.entries}>
              {asked.map((each) => (
                <li key={`${each.q} ${each.s} ${each.f}`}>
                  <Button look="quiet" className={styles.asked} onClick={() => choose(each)}>
                    <Value text={wordsOf(each)} />
                  </Button>
                </li>
              ))}
            </ul>
            {asked.length + named.length === 0 && <p className={styles.dim}>{DATA_TEXTS.historyNone}</p>}
            <NameForm onName={(name) => history.name(name, current)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function NameForm({ onName }: { readonly onName: (name: string) => void }) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React passes it on to the form that this is drawn in, though it stands outside of that.
    event.stopPropagation()
    const form = event.currentTarget
    const name = (new FormData(form).get('name') as string).trim()
    if (name !== '') onName(name)
    form.reset()
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <label htmlFor={id}>{DATA_TEXTS.name}</label>
      <div className={styles.beside}>
        <input id={id} name="name" maxLength={100} autoComplete="off" />
        <Button type="submit">{DATA_TEXTS.keep}</Button>
      </div>
    </form>
  )
}

function wordsOf({ q, s, f }: Asked): string {
  const parts = [q || DATA_TEXTS.whole, s && `${DATA_TEXTS.sort} ${s}`, f && `${DATA_TEXTS.fields} ${f}`]
  return parts.filter(Boolean).join(' · ')
}
