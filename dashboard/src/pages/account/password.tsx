import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { PasswordField } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { CodeField } from '../../components/sign-in-form.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { TEXTS } from '../../texts.ts'
import type { DescribedAccount } from './described-account.ts'

/** Another password, for whoever knows the current one, and has a code where there is a second factor. */
export function Password({ account }: Pick<DescribedAccount, 'account'>) {
  const client = useQueryClient()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (form: HTMLFormElement) =>
      askApi('/account/password', { method: 'PUT', json: Object.fromEntries(new FormData(form)) }),
    onSuccess: (_, form) => {
      form.reset()
      return client.invalidateQueries({ queryKey: ['account'] })
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(event.currentTarget)
  }
  const texts = ACCOUNT_TEXTS.password
  return (
    <Section title={texts.title} note={texts.note}>
      <form className={formStyles.form} onSubmit={submit}>
        <PasswordField name="current" label={texts.current} autoComplete="current-password" required />
        <PasswordField
          name="password"
          label={TEXTS.newPassword}
          hint={TEXTS.passwordHint}
          autoComplete="new-password"
          required
        />
        {account.hasTotp && <CodeField autoFocus={false} />}
        {error !== null && <Problem error={error} />}
        <div className={formStyles.acts}>
          <Button type="submit" isBusy={isPending}>
            {texts.button}
          </Button>
          {isSuccess && <p role="status">{texts.changed}</p>}
        </div>
      </form>
    </Section>
  )
}
