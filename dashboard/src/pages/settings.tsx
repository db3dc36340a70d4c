import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { askApi } from '../api.ts'
import { appPath, useRefreshApps } from '../apps-data.ts'
import { ActForm } from '../components/act-form.tsx'
import { AppPage } from '../components/app-page.tsx'
import { BackUpApp } from '../components/back-up-app.tsx'
import { Button } from '../components/button.tsx'
import { ExportApp } from '../components/export-app.tsx'
import { Field } from '../components/field.tsx'
import { useConfirmed } from '../components/password-required.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { Sharing } from '../components/sharing.tsx'
import { useSession } from '../session.ts'
import { SETTINGS_TEXTS } from '../texts/settings.ts'

interface OfApp {
  readonly slug: string
}

export default function SettingsPage({ slug }: OfApp) {
  return (
    <AppPage slug={slug} page="settings">
      {({ role }) => (
        <>
          <h1>{SETTINGS_TEXTS.title}</h1>
          {role === 'owner' ? (
            <>
              <Sharing slug={slug} />
              <ExportApp slug={slug} />
              <BackUpApp slug={slug} />
              <DeleteForm slug={slug} />
            </>
          ) : (
            <>
              <ExportApp slug={slug} />
              <LeaveForm slug={slug} />
            </>
          )}
        </>
      )}
    </AppPage>
  )
}

function LeaveForm({ slug }: OfApp) {
  const { account } = useSession()
  const goToApps = useGoToApps()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askApi(`${appPath(slug)}/shares/${account?.id}`, { method: 'DELETE' }),
    onSuccess: goToApps,
  })
  const { title, explained, button } = SETTINGS_TEXTS.leave
  return (
    <ActForm title={title} isDanger onSubmit={() => !isPending && mutate()}>
      <p>{explained}</p>
      <ReadProblem error={error} />
      <Button look="danger" type="submit" isBusy={isPending}>
        {button}
      </Button>
    </ActForm>
  )
}

function DeleteForm({ slug }: OfApp) {
  const confirmed = useConfirmed()
  const goToApps = useGoToApps()
  const [typed, setTyped] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => confirmed(() => askApi(appPath(slug), { method: 'DELETE' })),
    onSuccess: goToApps,
  })
  const { title, explained, label, button } = SETTINGS_TEXTS.remove
  const isConfirmed = typed === slug
  return (
    <ActForm title={title} isDanger onSubmit={() => isConfirmed && !isPending && mutate()}>
      <p>{explained}</p>
      <Field
        name="confirmed"
        label={label(slug)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <ReadProblem error={error} />
      <Button look="danger" type="submit" isBusy={isPending} disabled={!isConfirmed}>
        {button}
      </Button>
    </ActForm>
  )
}

/** Before what is shown is read anew: that would be of an app which is gone. */
function useGoToApps(): () => Promise<void> {
  const [, navigate] = useLocation()
  const refresh = useRefreshApps()
  return () => {
    navigate('/apps', { replace: true })
    return refresh()
  }
}
