import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { askApi } from '../api.ts'
import { useAppSettings } from '../app-settings.ts'
import { type App, appPath, ofAppRead, useOfApp, useRefreshApps } from '../apps-data.ts'
import { ActForm } from '../components/act-form.tsx'
import { AppPage } from '../components/app-page.tsx'
import { Button } from '../components/button.tsx'
import { EndTokens } from '../components/end-tokens.tsx'
import { Field } from '../components/field.tsx'
import { KeyTrial } from '../components/key-trial.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { RulesFields } from '../components/rules-fields.tsx'
import { Secret } from '../components/secret.tsx'
import { Summary } from '../components/summary.tsx'
import { Time } from '../components/time.tsx'
import { Value } from '../components/value.tsx'
import { Waiting } from '../components/waiting.tsx'
import {
  type AppKey,
  changedRules,
  editsOf,
  type TypedRules,
  typedRules,
  writtenRules,
} from '../key-rules.ts'
import { showUnseen } from '../show-unseen.ts'
import { KEY_TEXTS } from '../texts/keys.ts'
import { localTime } from '../texts.ts'
import styles from './keys.module.css'

interface Rotated {
  /** The new secret. */
  readonly key: string
  readonly oldUntil: string
}

export default function KeyPage({ slug, id }: { readonly slug: string; readonly id: string }) {
  const { data: keys, error, refetch } = useOfApp<AppKey[]>(slug, '/keys')
  const key = keys?.find((each) => each.id === id)
  return (
    <AppPage slug={slug} page="keys" title={<Value text={key?.name ?? id} />}>
      {(app) => {
        if (keys === undefined && error === null) return <Waiting reading={KEY_TEXTS.reading} />
        return (
          <>
            <ReadProblem error={error} onAgain={refetch} />
            {key !== undefined && <Key app={app} appKey={key} />}
            {keys !== undefined && key === undefined && <Gone slug={slug} />}
          </>
        )
      }}
    </AppPage>
  )
}

function Gone({ slug }: { readonly slug: string }) {
  return (
    <>
      <p>{KEY_TEXTS.gone}</p>
      <p>
        <Link href={`${appPath(slug)}/keys`}>{KEY_TEXTS.toKeys}</Link>
      </p>
    </>
  )
}

interface KeyProps {
  readonly app: App
  readonly appKey: AppKey
}

function Key({ app, appKey }: KeyProps) {
  const [rotated, setRotated] = useState<Rotated>()
  if (rotated !== undefined)
    return (
      <Secret title={KEY_TEXTS.rotated} secret={rotated.key}>
        <p>{KEY_TEXTS.oldUntil(localTime(rotated.oldUntil))}</p>
        <p>
          <Button onClick={() => setRotated(undefined)}>{KEY_TEXTS.done}</Button>
        </p>
      </Secret>
    )
  const { name, sentence, createdAt, lastUsedAt, oldKeysUntil, isSiteKey } = appKey
  return (
    <>
      <h1>
        <Value text={name} />
      </h1>
      <p>
        <Value text={sentence} />
      </p>
      <OfApp slug={app.slug} />
      <p className={styles.dim}>
        {KEY_TEXTS.madeAt}: <Time at={createdAt} /> · {KEY_TEXTS.columns.used}:{' '}
        {lastUsedAt === null ? KEY_TEXTS.never : <Time at={lastUsedAt} />}
        {oldKeysUntil.length > 0 && ` · ${KEY_TEXTS.oldSecrets}: ${oldKeysUntil.map(localTime).join(', ')}`}
      </p>
      {app.role === 'viewer' && <p>{KEY_TEXTS.onlyLook}</p>}
      {app.role === 'editor' && isSiteKey && (
        <>
          <p>{KEY_TEXTS.onlyOwner}</p>
          <KeyTrial path={pathOf({ app, appKey })} />
        </>
      )}
      {(app.role === 'owner' || (app.role === 'editor' && !isSiteKey)) && (
        <>
          <EditForm app={app} appKey={appKey} />
          <KeyTrial path={pathOf({ app, appKey })} />
          <RotateForm app={app} appKey={appKey} onRotated={setRotated} />
          <EndTokens texts={KEY_TEXTS.endTokens} path={pathOf({ app, appKey })} />
          <RevokeForm app={app} appKey={appKey} />
        </>
      )}
    </>
  )
}

/** What the app has for all of its keys, which holds for this one, too. */
function OfApp({ slug }: { readonly slug: string }) {
  const { data: settings } = useAppSettings(slug)
  if (!settings?.sentence) return null
  return (
    <p>
      <Value text={settings.sentence} />{' '}
      <Link href={`${appPath(slug)}/security`}>{KEY_TEXTS.toSecurity}</Link>
    </p>
  )
}

function pathOf({ app, appKey }: KeyProps): string {
  return `${appPath(app.slug)}/keys/${encodeURIComponent(appKey.id)}`
}

function EditForm({ app, appKey }: KeyProps) {
  const client = useQueryClient()
  const refresh = useRefreshApps()
  /** What is typed and not saved: all else follows the server, where somebody else may change the key meanwhile. */
  const [edits, setEdits] = useState<Partial<TypedRules>>({})
  const stored = useMemo(() => typedRules(appKey), [appKey])
  const typed = useMemo(() => ({ ...stored, ...edits }), [stored, edits])
  const rules = useMemo(() => writtenRules(typed), [typed])
  const changed = changedRules(stored, typed)
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: () => askApi<AppKey>(pathOf({ app, appKey }), { method: 'PATCH', json: { rules: changed } }),
    onSuccess: (saved) => {
      // Each rule in the one form that the server gives it.
      client.setQueryData<AppKey[]>(ofAppRead(app.slug, '/keys').queryKey, (keys) =>
        keys?.map((key) => (key.id === saved.id ? saved : key)),
      )
      setEdits({})
      return refresh()
    },
  })
  const isChanged = Object.keys(changed).length > 0
  const told = isSuccess && !isChanged ? KEY_TEXTS.saved : KEY_TEXTS.nothingToSave
  return (
    <ActForm title={KEY_TEXTS.edit} onSubmit={() => isChanged && !isPending && mutate()}>
      <RulesFields
        rules={typed}
        onChange={(rules) => {
          setEdits(editsOf(stored, rules))
          reset()
        }}
        withApps={app.role === 'owner'}
        areOfSite={appKey.isSiteKey ?? false}
      />
      {isChanged && <Summary slug={app.slug} rules={rules} isSiteKey={appKey.isSiteKey ?? false} />}
      {!isChanged && (
        <p className={styles.dim} role="status">
          {told}
        </p>
      )}
      <ReadProblem error={error} />
      <Button look="main" type="submit" isBusy={isPending}>
        {KEY_TEXTS.save}
      </Button>
    </ActForm>
  )
}

interface RotateFormProps extends KeyProps {
  readonly onRotated: (rotated: Rotated) => void
}

function RotateForm({ onRotated, ...key }: RotateFormProps) {
  const refresh = useRefreshApps()
  const [overlap, setOverlap] = useState('24h')
  const { mutate, error, isPending } = useMutation({
    // The secret is handed on, and not left in the cache of what was done.
    mutationFn: async () => {
      onRotated(await askApi<Rotated>(`${pathOf(key)}/rotation`, { method: 'POST', json: { overlap } }))
      void refresh()
    },
  })
  const { title, explained, overlap: label, overlapHint, button } = KEY_TEXTS.rotate
  return (
    <ActForm title={title} onSubmit={() => !isPending && mutate()}>
      <p>{explained}</p>
      <Field
        name="overlap"
        label={label}
        hint={overlapHint}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value)}
        autoComplete="off"
        required
      />
      <ReadProblem error={error} />
      <Button type="submit" isBusy={isPending}>
        {button}
      </Button>
    </ActForm>
  )
}

function RevokeForm(key: KeyProps) {
  const [, navigate] = useLocation()
  const refresh = useRefreshApps()
  const [typed, setTyped] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askApi(pathOf(key), { method: 'DELETE' }),
    onSuccess: async () => {
      navigate(`${appPath(key.app.slug)}/keys`, { replace: true })
      await refresh()
    },
  })
  const { title, explained, label, button } = KEY_TEXTS.revoke
  const isConfirmed = showUnseen(typed) === showUnseen(key.appKey.name)
  return (
    <ActForm title={title} isDanger onSubmit={() => isConfirmed && !isPending && mutate()}>
      <p>{explained}</p>
      <Field
        name="confirmed"
        label={label(key.appKey.name)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        required
      />
      <ReadProblem error={error} />
      <Button look="danger" type="submit" isBusy={isPending} disabled={!isConfirmed}>
        {button}
      </Button>
    </ActForm>
  )
}
