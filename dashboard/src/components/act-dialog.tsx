import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isTyped } from '../is-typed.ts'
import { showUnseen } from '../show-unseen.ts'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { Field } from './field.tsx'
import formStyles from './form.module.css'
import { useConfirmed } from './password-required.tsx'
import { Problem } from './problem.tsx'

interface ActDialogProps<Result> {
  readonly title: string
  readonly explained: string
  /** A verb with its object. */
  readonly button: string
  /** Where nothing is lost by it. */
  readonly look?: 'main'
  /** What has to be typed first, where much would be lost. */
  readonly typed?: string | number | undefined
  /** What is chosen besides. */
  readonly children?: ReactNode
  /** Whether that can't be sent, as the dialog says beside it. */
  readonly isRefused?: boolean
  /** @param form what was chosen; the password is asked for where it takes it */
  readonly act: (form: FormData) => Promise<Result>
  readonly onDone: (result: Result) => unknown
  readonly onClose: () => void
}

/** Says what comes of it, and does it. */
export function ActDialog<Result>({
  title,
  explained,
  button,
  look,
  typed,
  children,
  isRefused = false,
  act,
  onDone,
  onClose,
}: ActDialogProps<Result>) {
  const confirmed = useConfirmed()
  const [text, setText] = useState('')
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (form: FormData) => confirmed(() => act(form)),
    onSuccess: (result) => onDone(result),
  })
  const isReady = !isRefused && (typed === undefined || isTyped(text, typed))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isReady && !isPending) mutate(new FormData(event.currentTarget))
  }
  return (
    <AlertDialog.Root open onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title>{showUnseen(title)}</AlertDialog.Title>
          <AlertDialog.Description>{showUnseen(explained)}</AlertDialog.Description>
          <form className={formStyles.form} onSubmit={submit} onChange={() => error !== null && reset()}>
            {children}
            {typed !== undefined && (
              <Field
                name="typed"
                label={TEXTS.typeToConfirm(String(typed))}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                required
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )}
            {error !== null && <Problem error={error} />}
            <Button look={look ?? 'danger'} type="submit" isBusy={isPending} disabled={!isReady}>
              {button}
            </Button>
            <Button onClick={onClose}>{TEXTS.cancel}</Button>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
