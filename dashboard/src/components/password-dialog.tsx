import { Dialog } from '@base-ui/react/dialog'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, askApi } from '../api.ts'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { PasswordField } from './field.tsx'
import formStyles from './form.module.css'
import { Problem } from './problem.tsx'
import { CodeField } from './sign-in-form.tsx'

interface PasswordDialogProps {
  readonly email: string
  /** @param isGiven false where it was closed without a password */
  readonly onEnd: (isGiven: boolean) => void
}

interface Given {
  readonly password: string
  readonly code?: string
}

/** Asks for the password of the account, and for the code of a second factor where it has one. */
export default function PasswordDialog({ email, onEnd }: PasswordDialogProps) {
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (given: Given) => askApi('/session/password', { method: 'POST', json: given }),
    onSuccess: () => onEnd(true),
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === 'code_required')) return
      setIsCodeAsked(true)
      reset()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { password, code } = Object.fromEntries(new FormData(event.currentTarget)) as unknown as Given
    if (!isPending) mutate({ password, ...(code !== undefined && { code }) })
  }
  return (
    <Dialog.Root open modal onOpenChange={() => onEnd(false)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title>{TEXTS.passwordRequired.title}</Dialog.Title>
          <Dialog.Description>{TEXTS.passwordRequired.explained}</Dialog.Description>
          <form className={formStyles.form} onSubmit={submit}>
            <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
            <PasswordField
              name="password"
              label={TEXTS.password}
              autoComplete="current-password"
              required
              autoFocus
            />
            {isCodeAsked && <CodeField />}
            {error !== null && <Problem error={error} />}
            <Button look="main" type="submit" isBusy={isPending}>
              {TEXTS.passwordRequired.button}
            </Button>
            <Button onClick={() => onEnd(false)}>{TEXTS.cancel}</Button>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
