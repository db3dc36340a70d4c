import { Dialog } from '@base-ui/react/dialog'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { appPath, useApps, useRefreshApps } from '../apps-data.ts'
import { sendFile } from '../send-file.ts'
import { slugProblem } from '../slug-problem.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { BACKUP_TEXTS } from '../texts/backup.ts'
import { TEXTS } from '../texts.ts'
import { useSending } from '../use-sending.ts'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { Field } from './field.tsx'
import { FileChoice } from './file-choice.tsx'
import formStyles from './form.module.css'
import { useConfirmed } from './password-required.tsx'
import { Progress } from './progress.tsx'
import { ReadProblem } from './read-problem.tsx'

const texts = BACKUP_TEXTS.restore

interface WantedApp {
  readonly file: File
  readonly slug: string
  /** Which one of those in the backup; empty where it has one. */
  readonly from: string
}

/** Makes a new app of a backup. */
export default function RestoreDialog({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation()
  const refresh = useRefreshApps()
  const confirmed = useConfirmed()
  const { data: apps = [] } = useApps()
  const [file, setFile] = useState<File>()
  const [slug, setSlug] = useState('')
  const [from, setFrom] = useState('')
  const { act, sentBytes, isStopped, stop } = useSending(
    ({ file, slug, from }: WantedApp, how) =>
      confirmed(() =>
        sendFile({
          ...how,
          path: `/apps/restore?${new URLSearchParams({ slug, ...(from && { from }) })}`,
          file,
          type: 'application/zip',
        }),
      ),
    (_, { slug }) => {
      navigate(appPath(slug))
      return refresh()
    },
  )
  const isTaken = apps.some((app) => app.slug === slug)
  const problem = isTaken && !act.isPending ? APP_TEXTS.newApp.taken : slugProblem(slug)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file !== undefined && problem === undefined && !act.isPending)
      act.mutate({ file, slug, from: from.trim() })
  }
  return (
    <Dialog.Root open onOpenChange={() => act.isPending || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title>{texts.title}</Dialog.Title>
          <Dialog.Description>{texts.explained}</Dialog.Description>
          <form className={formStyles.form} onSubmit={submit}>
            <FileChoice
              file={file}
              hint={texts.hint}
              accept=".zip"
              isBusy={act.isPending}
              onFile={(chosen) => {
                setFile(chosen)
                act.reset()
              }}
            />
            <Field
              name="slug"
              label={texts.slug}
              hint={APP_TEXTS.newApp.hint}
              problem={slug === '' ? undefined : problem}
              value={slug}
              onChange={({ currentTarget }) => setSlug(currentTarget.value)}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              readOnly={act.isPending}
              required
            />
            <Field
              name="from"
              label={texts.from}
              hint={texts.fromHint}
              value={from}
              onChange={({ currentTarget }) => setFrom(currentTarget.value)}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              readOnly={act.isPending}
            />
            {isStopped ? <p role="status">{texts.stopped}</p> : <ReadProblem error={act.error} />}
            {act.isPending && (
              <Progress
                label={texts.sent}
                sentBytes={sentBytes}
                allBytes={file?.size ?? 0}
                after={texts.restoring}
                onStop={stop}
              />
            )}
            <div className={formStyles.acts}>
              <Button look="main" type="submit" isBusy={act.isPending} disabled={file === undefined}>
                {texts.button}
              </Button>
              {!act.isPending && <Button onClick={onClose}>{TEXTS.cancel}</Button>}
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
