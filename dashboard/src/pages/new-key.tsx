import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { askApi } from '../api.ts'
import { useAppSettings } from '../app-settings.ts'
import { type App, appPath, useRefreshApps } from '../apps-data.ts'
import formStyles from '../components/act-form.module.css'
import { AppPage } from '../components/app-page.tsx'
import { Button } from '../components/button.tsx'
import { Field, PasswordField } from '../components/field.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { ReadState } from '../components/read-state.tsx'
import { RulesFields } from '../components/rules-fields.tsx'
import { Secret } from '../components/secret.tsx'
import { Summary } from '../components/summary.tsx'
import { type KeyRules, newRules, writtenRules } from '../key-rules.ts'
import { KEY_TEXTS } from '../texts/keys.ts'
import styles from './keys.module.css'

const { given: GIVEN } = KEY_TEXTS

interface MadeKey {
  readonly id: string
  /** Its secret, where that is a new one. */
  readonly key?: string
  /** About how many bits a given secret has at most, where these are few. */
  readonly guessableBits?: number
}

export default function NewKeyPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="keys" title={KEY_TEXTS.newTitle}>
      {(app) => (app.role === 'viewer' ? <p>{KEY_TEXTS.onlyLook}</p> : <WithDefaults app={app} />)}
    </AppPage>
  )
}

/** A form that is there keeps what was typed, whatever becomes of the defaults. */
function WithDefaults({ app }: { readonly app: App }) {
  const query = useAppSettings(app.slug)
  if (query.data === undefined) return <ReadState query={query} reading={KEY_TEXTS.readingDefaults} />
  return <NewKey app={app} defaults={query.data.keyDefaults} />
}

interface NewKeyProps {
  readonly app: App
  readonly defaults: Partial<KeyRules>
}

function NewKey({ app, defaults }: NewKeyProps) {
  const [made, setMade] = useState<MadeKey>()
  if (made === undefined) return <NewKeyForm app={app} defaults={defaults} onMade={setMade} />
  const { id, key, guessableBits } = made
  const toKey = (
    <p>
      <Link href={`${appPath(app.slug)}/keys/${encodeURIComponent(id)}`}>{KEY_TEXTS.toKey}</Link>
    </p>
  )
  if (key !== undefined)
    return (
      <Secret title={KEY_TEXTS.made} secret={key}>
        {toKey}
      </Secret>
    )
  return (
    <>
      <h1>{KEY_TEXTS.made}</h1>
      <p role="status">{GIVEN.made}</p>
      {guessableBits !== undefined && <p className={styles.warning}>{GIVEN.guessable(guessableBits)}</p>}
      {toKey}
    </>
  )
}

interface NewKeyFormProps extends NewKeyProps {
  readonly onMade: (made: MadeKey) => void
}

function NewKeyForm({ app: { slug, role }, defaults, onMade }: NewKeyFormProps) {
  const refresh = useRefreshApps()
  const [name, setName] = useState('')
  /** One that exists already; undefined where the server makes one. */
  const [secret, setSecret] = useState<string>()
  const [typed, setTyped] = useState(() => newRules(slug, defaults))
  const rules = useMemo(() => writtenRules(typed), [typed])
  const { mutate, error, isPending } = useMutation({
    // The secret is handed on, and not left in the cache of what was done.
    mutationFn: async () => {
      onMade(
        await askApi<MadeKey>(`${appPath(slug)}/keys`, { method: 'POST', json: { name, rules, secret } }),
      )
      void refresh()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <>
      <h1>{KEY_TEXTS.newTitle}</h1>
      <p className={styles.dim}>{KEY_TEXTS.explained}</p>
      <form className={formStyles.form} onSubmit={submit}>
        <Field
          name="name"
          label={KEY_TEXTS.name}
          hint={KEY_TEXTS.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          required
        />
        <RulesFields rules={typed} onChange={setTyped} withApps={role === 'owner'} />
        <GivenSecret secret={secret} onChange={setSecret} />
        <Summary slug={slug} rules={rules} />
        <ReadProblem error={error} />
        <Button look="main" type="submit" isBusy={isPending}>
          {KEY_TEXTS.make}
        </Button>
      </form>
    </>
  )
}

interface GivenSecretProps {
  readonly secret: string | undefined
  readonly onChange: (secret: string | undefined) => void
}

/** For a key that programs have already, such as of another service. */
function GivenSecret({ secret, onChange }: GivenSecretProps) {
  if (secret === undefined)
    return (
      <Button look="quiet" className={styles.given} onClick={() => onChange('')}>
        {GIVEN.show}
      </Button>
    )
  return (
    <>
      <PasswordField
        name="secret"
        label={GIVEN.label}
        hint={GIVEN.hint}
        value={secret}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        required
      />
      <Button look="quiet" className={styles.given} onClick={() => onChange(undefined)}>
        {GIVEN.hide}
      </Button>
    </>
  )
}
