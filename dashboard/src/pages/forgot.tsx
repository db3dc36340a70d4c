import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { askApi } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import formStyles from '../components/form.module.css'
import { NarrowPage } from '../components/narrow-page.tsx'
import { Problem } from '../components/problem.tsx'
import { Value } from '../components/value.tsx'
import { TEXTS } from '../texts.ts'
import { useAction } from '../use-action.ts'

/** Has a link to another password sent. Nobody is told here whether there is such an account. */
export default function ForgotPage() {
  const [sentTo, setSentTo] = useState<string>()
  const { run, error, isPending } = useAction(async (email: string) => {
    await askApi('/password-reset-requests', { method: 'POST', json: { email } })
    setSentTo(email)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    run(String(new FormData(event.currentTarget).get('email')).trim())
  }
  return (
    <NarrowPage title={TEXTS.forgot.title}>
      {sentTo === undefined ? (
        <>
          <p>{TEXTS.forgot.explained}</p>
          <form className={formStyles.form} onSubmit={submit}>
            <Field name="email" label={TEXTS.email} type="email" autoComplete="username" required autoFocus />
            {error !== null && <Problem error={error} />}
            <Button look="main" type="submit" isBusy={isPending}>
              {TEXTS.forgot.button}
            </Button>
          </form>
        </>
      ) : (
        <div className={formStyles.form} role="status">
          <p>
            {TEXTS.forgot.sentTo} <Value text={sentTo} />.
          </p>
          <p>{TEXTS.forgot.sent}</p>
        </div>
      )}
      <Link href="/sign-in">{TEXTS.toSignIn}</Link>
    </NarrowPage>
  )
}
