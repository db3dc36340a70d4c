import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../api.ts'
import { appPath, useOfApp, useRefreshApps } from '../apps-data.ts'
import { SETTINGS_TEXTS } from '../texts/settings.ts'
import { ActForm } from './act-form.tsx'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { ReadProblem } from './read-problem.tsx'
import rowStyles from './rows.module.css'
import { SelectField } from './select-field.tsx'
import { Value } from './value.tsx'
import { Waiting } from './waiting.tsx'

interface Share {
  /** The id of an account. */
  readonly account: string
  readonly email: string
  readonly name: string
  readonly role: keyof typeof TEXTS.roles
}

const TEXTS = SETTINGS_TEXTS.sharing

/** With whom an app is shared, for its owner. */
export function Sharing({ slug }: { readonly slug: string }) {
  const { data: shares, error, refetch } = useOfApp<Share[]>(slug, '/shares')
  return (
    <>
      <ShareForm slug={slug} />
      <div className={rowStyles.section}>
        <ReadProblem error={error} onAgain={refetch} />
        {shares === undefined && error === null && <Waiting reading={TEXTS.reading} />}
        {shares?.length === 0 && <p className={rowStyles.dim}>{TEXTS.none}</p>}
        <ul>
          {shares?.map((share) => (
            <Row key={share.account} slug={slug} share={share} />
          ))}
        </ul>
      </div>
    </>
  )
}

function ShareForm({ slug }: { readonly slug: string }) {
  const refresh = useRefreshApps()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('viewer')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askApi(`${appPath(slug)}/shares`, { method: 'POST', json: { email, role } }),
    onSuccess: () => {
      setEmail('')
      return refresh()
    },
  })
  return (
    <ActForm title={TEXTS.title} onSubmit={() => !isPending && mutate()}>
      <p>{TEXTS.explained}</p>
      <Field
        name="email"
        label={TEXTS.email}
        inputMode="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        autoComplete="off"
        required
      />
      <SelectField
        name="role"
        label={TEXTS.role}
        options={TEXTS.roles}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value)}
      />
      <ReadProblem error={error} />
      <Button look="main" type="submit" isBusy={isPending}>
        {TEXTS.button}
      </Button>
    </ActForm>
  )
}

function Row({
  slug,
  share: { account, email, name, role },
}: {
  readonly slug: string
  readonly share: Share
}) {
  const refresh = useRefreshApps()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askApi(`${appPath(slug)}/shares/${encodeURIComponent(account)}`, { method: 'DELETE' }),
    onSuccess: refresh,
  })
  return (
    <li className={rowStyles.row}>
      <div className={rowStyles.what}>
        <Value text={name} />
        <span className={rowStyles.dim}>
          <Value text={email} />, {TEXTS.roles[role]}
        </span>
        <ReadProblem error={error} />
      </div>
      <Button aria-label={TEXTS.endWith(email)} isBusy={isPending} onClick={() => !isPending && mutate()}>
        {TEXTS.end}
      </Button>
    </li>
  )
}
