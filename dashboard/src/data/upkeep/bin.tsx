import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type App, useRefreshApps } from '../../apps-data.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import styles from '../../components/rows.module.css'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import RestoreAsDialog from './restore-as-dialog.tsx'
import { type BinEntry, binRead, isNameTaken, removeFromBin, restoreCollection } from './upkeep-api.ts'

const { bin: texts } = UPKEEP_TEXTS

/** What was dropped or emptied and can be had back; nothing where there is none. */
export function Bin({ app }: { readonly app: App }) {
  const { data: entries = [], error, refetch } = useQuery(binRead(app.slug))
  if (error !== null) return <ReadProblem error={error} onAgain={refetch} />
  if (entries.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="bin">
      <h2 id="bin">{texts.title}</h2>
      <p className={styles.dim}>{texts.explained}</p>
      <ul>
        {entries.map((entry) => (
          <Row key={entry.id} app={app} entry={entry} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly app: App
  readonly entry: BinEntry
}

function Row({ app, entry }: RowProps) {
  const { name, documents, reason, by, droppedAt, restorableUntil } = entry
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <Value text={name} />
        <span className={styles.dim}>
          {texts.reason(reason, documents)} <Time at={droppedAt} />
          {by !== null && (
            <>
              {' '}
              <Value text={texts.by(by)} />
            </>
          )}
          , {texts.removed} <Time at={restorableUntil} />
        </span>
      </div>
      {app.role !== 'viewer' && <Acts app={app} entry={entry} />}
    </li>
  )
}

function Acts({ app: { slug }, entry }: RowProps) {
  const refresh = useRefreshApps()
  const [open, setOpen] = useState<'name' | 'remove'>()
  const close = () => setOpen(undefined)
  const { name, documents } = entry
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => restoreCollection(slug, entry),
    onSuccess: refresh,
    onError: (failure) => {
      if (isNameTaken(failure)) setOpen('name')
    },
  })
  return (
    <div className={styles.acts}>
      <ReadProblem error={isNameTaken(error) ? null : error} />
      <Button
        aria-label={texts.restoreOf(name, documents)}
        isBusy={isPending}
        onClick={() => !isPending && mutate()}
      >
        {texts.restore}
      </Button>
      <Button aria-label={texts.removeOf(name, documents)} onClick={() => setOpen('remove')}>
        {texts.remove}
      </Button>
      {open === 'name' && (
        <RestoreAsDialog
          slug={slug}
          entry={entry}
          onDone={async () => {
            await refresh()
            close()
          }}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <ActDialog
          title={texts.removal.title(name)}
          explained={texts.removal.explained(documents)}
          button={texts.removal.button}
          typed={documents === 0 ? undefined : documents}
          act={() => removeFromBin(slug, entry)}
          onDone={refresh}
          onClose={close}
        />
      )}
    </div>
  )
}
