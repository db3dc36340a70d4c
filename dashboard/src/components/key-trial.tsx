import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../api.ts'
import { KEY_TEXTS } from '../texts/keys.ts'
import { sentence } from '../texts.ts'
import { ActForm } from './act-form.tsx'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import styles from './key-trial.module.css'
import { ReadProblem } from './read-problem.tsx'
import { SelectField } from './select-field.tsx'
import { Value } from './value.tsx'

/** What would become of a request. */
interface Trial {
  readonly isAdmitted: boolean
  readonly status: number
  /** Of a refusal, as its message. */
  readonly code: string | null
  readonly message: string | null
  /** Where the request would come from. */
  readonly address: string
}

const { trial: TEXTS } = KEY_TEXTS
const METHODS = { GET: 'GET', POST: 'POST', PUT: 'PUT', DELETE: 'DELETE' } as const
const FIELDS = ['collection', 'address', 'origin'] as const
const EMPTY = { method: 'GET', collection: '', address: '', origin: '' }

/** Asks whether a request by a key would be let in. @param path the key's, under `/_/api` */
export function KeyTrial({ path }: { readonly path: string }) {
  const [typed, setTyped] = useState(EMPTY)
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: () => askApi<Trial>(`${path}/trial`, { method: 'POST', json: givenOf(typed) }),
  })
  const change = (name: keyof typeof EMPTY, text: string) => {
    setTyped({ ...typed, [name]: text })
    // An answer is to what was asked.
    reset()
  }
  return (
    <ActForm title={TEXTS.title(typed.method)} onSubmit={() => !isPending && mutate()}>
      <p className={styles.dim}>{TEXTS.explained}</p>
      <SelectField
        name="method"
        label={TEXTS.method}
        options={METHODS}
        value={typed.method}
        onChange={(event) => change('method', event.currentTarget.value)}
      />
      {FIELDS.map((name) => (
        <Field
          key={name}
          name={name}
          label={TEXTS[name]}
          hint={TEXTS[`${name}Hint`]}
          value={typed[name]}
          onChange={(event) => change(name, event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ))}
      <ReadProblem error={error} />
      {data !== undefined && <Answer trial={data} />}
      <Button type="submit" isBusy={isPending}>
        {TEXTS.button}
      </Button>
    </ActForm>
  )
}

/** What is empty is left out. */
function givenOf(typed: typeof EMPTY): Partial<typeof EMPTY> {
  const asked = { ...typed, address: typed.address.trim(), origin: originOf(typed.origin.trim()) }
  return Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== ''))
}

/** What a browser sends of a page by its address, which may be without the protocol. */
function originOf(address: string): string {
  const url = address.includes('://') ? address : `https://${address}`
  // Where it has none, a browser sends this word.
  return address === 'null' || !URL.canParse(url) ? address : new URL(url).origin
}

function Answer({ trial: { isAdmitted, status, code, message, address } }: { readonly trial: Trial }) {
  return (
    <div className={isAdmitted ? styles.admitted : styles.refused} role="status">
      <p>{isAdmitted ? TEXTS.admitted(address) : TEXTS.refused(address, status)}</p>
      {code !== null && (
        <p>
          <code>{code}</code>: <Value text={sentence(message ?? '')} />
        </p>
      )}
    </div>
  )
}
