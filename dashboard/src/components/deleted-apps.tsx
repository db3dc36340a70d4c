import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../api.ts'
import { type DeletedApp, useDeletedApps, useRefreshApps } from '../apps-data.ts'
import { DELETED_TEXTS } from '../texts/settings.ts'
import { ActDialog } from './act-dialog.tsx'
import { Button } from './button.tsx'
import { ReadProblem } from './read-problem.tsx'
import styles from './rows.module.css'
import { Time } from './time.tsx'
import { Value } from './value.tsx'

const { remove: REMOVE } = DELETED_TEXTS

/** What the account has deleted and can have back; nothing where there is none. */
export function DeletedApps() {
  const { data: apps = [], error, refetch } = useDeletedApps()
  if (error !== null) return <ReadProblem error={error} onAgain={refetch} />
  if (apps.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="deleted-apps">
      <h2 id="deleted-apps">{DELETED_TEXTS.title}</h2>
      <p className={styles.dim}>{DELETED_TEXTS.explained}</p>
      <ul>
        {apps.map((app) => (
          <Row key={app.slug} app={app} />
        ))}
      </ul>
    </section>
  )
}

function Row({ app: { slug, restorableUntil } }: { readonly app: DeletedApp }) {
  const refresh = useRefreshApps()
  const path = `/deleted-apps/${encodeURIComponent(slug)}`
  const [isRemoving, setIsRemoving] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askApi(`${path}/restoration`, { method: 'POST' }),
    onSuccess: refresh,
  })
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <Value text={slug} />
        <span className={styles.dim}>
          {DELETED_TEXTS.removed} <Time at={restorableUntil} />
        </span>
        <ReadProblem error={error} />
      </div>
      <div className={styles.acts}>
        <Button
          aria-label={DELETED_TEXTS.restore(slug)}
          isBusy={isPending}
          onClick={() => !isPending && mutate()}
        >
          {DELETED_TEXTS.button}
        </Button>
        <Button aria-label={REMOVE.title(slug)} onClick={() => setIsRemoving(true)}>
          {REMOVE.short}
        </Button>
      </div>
      {isRemoving && (
        <ActDialog
          title={REMOVE.title(slug)}
          explained={REMOVE.explained}
          button={REMOVE.button}
          typed={slug}
          act={() => askApi(path, { method: 'DELETE' })}
          onDone={refresh}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </li>
  )
}
