import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { askApi } from '../api.ts'
import { documentsOf, useAppSize } from '../app-size.ts'
import { type App, appPath, type ListedApp, useApps, useDeletedApps, useRefreshApps } from '../apps-data.ts'
import { Bar } from '../components/bar.tsx'
import { Button } from '../components/button.tsx'
import { DeletedApps } from '../components/deleted-apps.tsx'
import { Field } from '../components/field.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { ReadState } from '../components/read-state.tsx'
import { RestoreApp } from '../components/restore-app.tsx'
import { Time } from '../components/time.tsx'
import { Value } from '../components/value.tsx'
import { CREATES, create } from '../shortcuts.ts'
import { slugProblem } from '../slug-problem.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { localDate, TEXTS } from '../texts.ts'
import { useSeen } from '../use-seen.ts'
import styles from './apps.module.css'

/** In the address of who has chosen to make an app. */
const NEW = 'new'

export function AppsPage() {
  const query = useApps()
  const { data } = query
  return (
    <>
      <title>{TEXTS.titleOf(TEXTS.apps.title)}</title>
      <Bar path={TEXTS.apps.title} />
      <main className={styles.main}>
        <h1>{TEXTS.apps.title}</h1>
        <ReadState query={query} reading={TEXTS.apps.reading} />
        {data?.length === 0 && (
          <div className={styles.empty}>
            <h2>{TEXTS.apps.none}</h2>
            <p>{TEXTS.apps.noneExplained}</p>
          </div>
        )}
        <ul className={styles.cards}>
          {data?.map((app) => (
            <Card key={app.slug} app={app} />
          ))}
        </ul>
        {data !== undefined && <NewApp apps={data} />}
        {data !== undefined && <RestoreApp />}
        <DeletedApps />
      </main>
    </>
  )
}

function Card({ app }: { readonly app: ListedApp }) {
  const { slug, role, owner, createdAt } = app
  const { ref, isSeen } = useSeen<HTMLLIElement>()
  return (
    <li className={styles.card} ref={ref}>
      <h2>
        <Link href={appPath(slug)}>
          <Value text={slug} />
        </Link>
      </h2>
      <p>
        {TEXTS.apps.role[role]}
        {role !== 'owner' && (
          <>
            , <Value text={owner === null ? TEXTS.apps.ofOperator : TEXTS.apps.sharedBy(owner)} />
          </>
        )}
      </p>
      <Holds slug={slug} isSeen={isSeen} />
      <Lately app={app} />
      <p>
        {TEXTS.apps.made} <time dateTime={createdAt}>{localDate(createdAt)}</time>
      </p>
    </li>
  )
}

/** How much an app holds, once its card is looked at; the room for it is there before. */
function Holds({ slug, isSeen }: { readonly slug: string; readonly isSeen: boolean }) {
  const { data: size, error } = useAppSize(slug, isSeen)
  if (error !== null) return <p>{APP_TEXTS.notMeasured}</p>
  return <p>{size === undefined ? '\u00a0' : APP_TEXTS.holds(documentsOf(size), size.bytes)}</p>
}

/** What was asked of an app. */
function Lately({ app: { requestsToday, lastRequestAt } }: { readonly app: ListedApp }) {
  if (requestsToday > 0 || lastRequestAt === null) return <p>{APP_TEXTS.requests(requestsToday)}</p>
  return (
    <p>
      {APP_TEXTS.lastRequest} <Time at={lastRequestAt} />
    </p>
  )
}

function NewApp({ apps }: { readonly apps: readonly App[] }) {
  const [, navigate] = useLocation()
  const refresh = useRefreshApps()
  const [slug, setSlug] = useState('')
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => askApi('/apps', { method: 'POST', json: { slug } }),
    // Before the list is read anew, for that would say of the slug that it is taken.
    onSuccess: () => {
      navigate(appPath(slug))
      return refresh()
    },
  })
  const { title, hint, taken, takenByDeleted, button } = APP_TEXTS.newApp
  const isAsked = useSearch() === NEW
  useEffect(() => {
    if (isAsked) create()
  }, [isAsked])
  const { data: deleted = [] } = useDeletedApps()
  const isTaken = apps.some((app) => app.slug === slug)
  const isDeleted = deleted.some((app) => app.slug === slug)
  const problem = isTaken ? taken : isDeleted ? takenByDeleted : slugProblem(slug)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (problem === undefined && !isPending) mutate()
  }
  const type = (text: string) => {
    setSlug(text)
    reset()
  }
  return (
    <form className={styles.form} onSubmit={submit} aria-labelledby="new-app">
      <h2 id="new-app">{title}</h2>
      <Field
        name="slug"
        label={APP_TEXTS.newApp.slug}
        hint={hint}
        problem={slug === '' ? undefined : problem}
        value={slug}
        onChange={(event) => type(event.currentTarget.value)}
        {...CREATES}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <ReadProblem error={error} />
      <Button look="main" type="submit" isBusy={isPending}>
        {button}
      </Button>
    </form>
  )
}
