import { Dialog } from '@base-ui/react/dialog'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { ApiError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import dialogStyles from '../../components/dialog.module.css'
import { Field } from '../../components/field.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { isTyped } from '../../is-typed.ts'
import { BULK_TEXTS } from '../../texts/bulk.ts'
import { TEXTS } from '../../texts.ts'
import { updateCompletions } from '../query/query-completions.ts'
import { previewUpdate, updateDocuments } from './bulk-api.ts'
import { MANY } from './bulk-target.ts'
import { TargetChoice } from './target-choice.tsx'
import styles from './update-dialog.module.css'
import { type BulkParts, useBulkTarget } from './use-bulk-target.ts'

interface UpdateDialogProps extends BulkParts {
  readonly onClose: () => void
  readonly onDone: () => void
}

const BEGIN = '{"$set": {}}'

/** Updates what is chosen, or all that match, by modifiers: looked at first, and then exactly as many as were counted. */
export default function UpdateDialog({ onClose, onDone, ...parts }: UpdateDialogProps) {
  const { address } = parts
  const { kind, setKind, matching, query, recount } = useBulkTarget(parts)
  const [update, setUpdate] = useState(BEGIN)
  const completions = useMemo(() => updateCompletions(parts.names), [parts.names])
  const [typed, setTyped] = useState('')
  const texts = BULK_TEXTS.updating
  const preview = useMutation({
    mutationFn: async () => {
      if (query === undefined)
        throw new ApiError(BULK_TEXTS.tooMany, { code: 'too_many_chosen', status: 400 })
      const { before, after, documents } = await previewUpdate(address, { q: query, update })
      return { before, after, documents, q: query, count: await recount(), update }
    },
    onSuccess: () => setTyped(''),
  })
  const act = useMutation({
    mutationFn: (counted: { readonly q: string; readonly count: number; readonly update: string }) =>
      updateDocuments(address, counted),
    onSuccess: onDone,
    // Another number matches by now: what was looked at is not what there is.
    onError: () => preview.reset(),
  })
  const renew = () => {
    preview.reset()
    act.reset()
  }
  const look = () => {
    act.reset()
    if (!preview.isPending) preview.mutate()
  }
  const seen = preview.data
  const isReady = seen !== undefined && (seen.count <= MANY || isTyped(typed, seen.count))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (seen !== undefined && isReady && !act.isPending) act.mutate(seen)
  }
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles.backdrop} />
        <Dialog.Popup className={`${dialogStyles.popup} ${styles.popup}`}>
          <Dialog.Title>{texts.title}</Dialog.Title>
          <Dialog.Description>{texts.explained}</Dialog.Description>
          <form className={styles.form} onSubmit={submit}>
            <TargetChoice
              chosen={parts.ids.length}
              matching={matching}
              kind={kind}
              onChange={(next) => {
                setKind(next)
                renew()
              }}
            />
            <CodeEditor
              className={styles.editor}
              label={texts.editor}
              language="json"
              value={update}
              onChange={(text) => {
                setUpdate(text)
                renew()
              }}
              onSubmit={look}
              completions={completions}
            />
            <ReadProblem error={preview.error ?? act.error} />
            {seen !== undefined && act.data === undefined && <Seen {...seen} />}
            {act.data !== undefined && <p role="status">{texts.done(act.data.n, act.data.modified)}</p>}
            {seen !== undefined && seen.count > MANY && act.data === undefined && (
              <Field
                name="typed"
                label={TEXTS.typeToConfirm(String(seen.count))}
                autoComplete="off"
                inputMode="numeric"
                required
                value={typed}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
            <div className={styles.acts}>
              {act.data === undefined && (
                <Button
                  look={seen === undefined ? 'main' : 'plain'}
                  isBusy={preview.isPending}
                  onClick={look}
                >
                  {texts.show}
                </Button>
              )}
              {seen !== undefined && act.data === undefined && seen.documents > 0 && (
                <Button look="main" type="submit" isBusy={act.isPending} disabled={!isReady}>
                  {texts.button(seen.count)}
                </Button>
              )}
              <Button onClick={onClose}>{act.data === undefined ? TEXTS.cancel : BULK_TEXTS.close}</Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface SeenProps {
  readonly before: string
  readonly after: string
  readonly documents: number
  readonly count: number
}

/** What an update would make of the first documents. */
function Seen({ before, after, documents, count }: SeenProps) {
  const texts = BULK_TEXTS.updating
  if (documents === 0) return <p role="status">{texts.none}</p>
  return (
    <>
      <p role="status">
        {texts.previewed(documents, count)} {before === after && texts.unchanged}
      </p>
      {before !== after && (
        <CodeEditor
          className={styles.preview}
          label={texts.preview}
          language="json"
          isReadOnly
          value={after}
          original={before}
        />
      )}
    </>
  )
}
