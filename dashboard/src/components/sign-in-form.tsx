import { type FormEvent, useState } from 'react'
import { ApiError } from '../api.ts'
import { type Credentials, useSessionStore } from '../session.ts'
import { TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'
import { Button } from './button.tsx'
import { Field, PasswordField } from './field.tsx'
import styles from './form.module.css'
import { Problem } from './problem.tsx'

interface SignInFormProps {
  /** Whoever it is known to be. */
  readonly email?: string | undefined
  /** Whether the code of the second factor is asked for, which has a heading of its own. */
  readonly onCodeAsked?: (isAsked: boolean) => void
}

/** Asks for e-mail and password, then for the code of a second factor where the account has one. */
export function SignInForm({ email, onCodeAsked }: SignInFormProps) {
  const session = useSessionStore()
  const [first, setFirst] = useState<Credentials>()
  const { run, error, isPending, clear } = useAction(async (credentials: Credentials) => {
    try {
      await session.signIn(credentials)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'code_required')) throw error
      setFirst(credentials)
      onCodeAsked?.(true)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as unknown as Credentials
    run({ ...first, ...typed })
  }
  const startOver = () => {
    setFirst(undefined)
    onCodeAsked?.(false)
    clear()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {first === undefined ? <FirstFields email={email} /> : <CodeField />}
      {error !== null && <Problem error={error} />}
      <Button look="main" type="submit" isBusy={isPending}>
        {TEXTS.signIn.button}
      </Button>
      {first !== undefined && <Button onClick={startOver}>{TEXTS.signIn.otherAccount}</Button>}
    </form>
  )
}

function FirstFields({ email }: { readonly email: string | undefined }) {
  return (
    <>
      <Field
        name="email"
        label={TEXTS.email}
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        autoFocus={email === undefined}
      />
      <PasswordField
        name="password"
        label={TEXTS.password}
        autoComplete="current-password"
        required
        autoFocus={email !== undefined}
      />
    </>
  )
}

/** Of the second factor. */
export function CodeField({ autoFocus = true }: { readonly autoFocus?: boolean }) {
  return (
    <Field
      name="code"
      label={TEXTS.signIn.code}
      hint={TEXTS.signIn.codeHint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      autoFocus={autoFocus}
    />
  )
}
