import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { askApi } from '../api.ts'
import { type App, appPath, useRefreshApps } from '../apps-data.ts'
import formStyles from '../components/act-form.module.css'
import { AppPage } from '../components/app-page.tsx'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { RulesFields } from '../components/rules-fields.tsx'
import { Secret } from '../components/secret.tsx'
import { Summary } from '../components/summary.tsx'
import { newRules, writtenRules } from '../key-rules.ts'
import { KEY_TEXTS } from '../texts/keys.ts'
import styles from './keys.module.css'

interface MadeKey {
  readonly id: string
  /** Its secret. */
  readonly key: string
}

export default function NewKeyPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="keys" title={KEY_TEXTS.newTitle}>
      {(app) => (app.role === 'viewer' ? <p>{KEY_TEXTS.onlyLook}</p> : <NewKey app={app} />)}
    </AppPage>
  )
}

function NewKey({ app }: { readonly app: App }) {
  const [made, setMade] = useState<MadeKey>()
  if (made === undefined) return <NewKeyForm app={app} onMade={setMade} />
  return (
    <Secret title={KEY_TEXTS.made} secret={made.key}>
      <p>
        <Link href={`${appPath(app.slug)}/keys/${encodeURIComponent(made.id)}`}>{KEY_TEXTS.toKey}</Link>
      </p>
    </Secret>
  )
}

interface NewKeyFormProps {
  readonly app: App
  readonly onMade: (made: MadeKey) => void
}

function NewKeyForm({ app: { slug, role }, onMade }: NewKeyFormProps) {
  const refresh = useRefreshApps()
  const [name, setName] = useState('')
  const [typed, setTyped] = useState(() => newRules(slug))
  const rules = useMemo(() => writtenRules(typed), [typed])
  const { mutate, error, isPending } = useMutation({
    // The secret is handed on, and not left in the cache of what was done.
    mutationFn: async () => {
      onMade(await askApi<MadeKey>(`${appPath(slug)}/keys`, { method: 'POST', json: { name, rules } }))
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
        <Summary slug={slug} rules={rules} />
        <ReadProblem error={error} />
        <Button look="main" type="submit" isBusy={isPending}>
          {KEY_TEXTS.make}
        </Button>
      </form>
    </>
  )
}
