import { Dialog } from '@base-ui/react/dialog'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, askApi } from '../api.ts'
import { confirmByPasskey, hasPasskeys } from '../passkeys.ts'
import { TEXTS } from '../texts.ts'
import type { AccountWaysIn } from '../ways-in.ts'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { PasswordField } from './field.tsx'
import formStyles from './form.module.css'
import { Problem } from './problem.tsx'
import { ProviderWayIn } from './provider-way-in.tsx'
import { CodeField } from './sign-in-form.tsx'
import { Waiting } from './waiting.tsx'

interface PasswordDialogProps {
  readonly email: string
  /** @param isGiven false where it was closed without a password */
  readonly onEnd: (isGiven: boolean) => void
}

interface Given {
  readonly password: string
  readonly code?: string
}

const PASSWORD_ALONE: AccountWaysIn = { password: true, passkeys: false, oidc: false }

/** Asks for the password of the account, and for the code of a second factor where it has one, or for another way in. */
export default function PasswordDialog({ email, onEnd }: PasswordDialogProps) {
  const { data, error } = useQuery({
    queryKey: ['session', 'confirm-by'],
    queryFn: ({ signal }) => askApi<{ confirmBy: AccountWaysIn }>('/session', { signal }),
    staleTime: 0,
  })
  const by = data?.confirmBy ?? (error === null ? undefined : PASSWORD_ALONE)
  const { title, explained, otherTitle, otherExplained } = TEXTS.passwordRequired
  const isOther = by?.password === false
  return (
    <Dialog.Root open modal onOpenChange={() => onEnd(false)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title>{isOther ? otherTitle : title}</Dialog.Title>
          <Dialog.Description>{isOther ? otherExplained : explained}</Dialog.Description>
          {by === undefined && <Waiting reading={TEXTS.reading} />}
          {by?.password && <PasswordForm email={email} onGiven={() => onEnd(true)} />}
          {by?.passkeys && hasPasskeys() && (
            <PasskeyButton look={isOther ? 'main' : 'plain'} onGiven={() => onEnd(true)} />
          )}
          {by?.oidc && <ProviderWayIn purpose="confirm" />}
          {/* Not before: it would move when the ways in come, and a click on it would meet another button. */}
          {by !== undefined && (
            <div className={formStyles.form}>
              <Button onClick={() => onEnd(false)}>{TEXTS.cancel}</Button>
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface FormProps {
  readonly onGiven: () => void
}

function PasswordForm({ email, onGiven }: FormProps & { readonly email: string }) {
  const [isCodeAsked, setIsCodeAsked] = useState(false)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (given: Given) => askApi('/session/password', { method: 'POST', json: given }),
    onSuccess: onGiven,
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
    </form>
  )
}

function PasskeyButton({ look, onGiven }: FormProps & { readonly look: 'main' | 'plain' }) {
  const { mutate, error, isPending } = useMutation({ mutationFn: confirmByPasskey, onSuccess: onGiven })
  return (
    <div className={formStyles.form}>
      <Button
        look={look}
        isBusy={isPending}
        autoFocus={look === 'main'}
        onClick={() => isPending || mutate()}
      >
        {TEXTS.passkeys.confirm}
      </Button>
      {error !== null && <Problem error={error} />}
    </div>
  )
}
