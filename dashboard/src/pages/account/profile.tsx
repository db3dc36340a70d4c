import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { Problem } from '../../components/problem.tsx'
import { useSessionStore } from '../../session.ts'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { TEXTS } from '../../texts.ts'
import type { DescribedAccount } from './described-account.ts'

/** The name, and the e-mail, which takes the password. */
export function Profile({ account }: Pick<DescribedAccount, 'account'>) {
  const session = useSessionStore()
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (change: ProfileChange) => confirmed(() => session.updateAccount(change)),
    onSuccess: () => client.invalidateQueries({ queryKey: ['account'] }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { name, email } = Object.fromEntries(new FormData(event.currentTarget)) as Required<ProfileChange>
    // An address that stays as it is takes no password.
    if (!isPending) mutate({ name, ...(email !== account.email && { email }) })
  }
  const texts = ACCOUNT_TEXTS.profile
  return (
    <Section title={texts.title} note={texts.note}>
      <form className={formStyles.form} onSubmit={submit}>
        <Field name="name" label={TEXTS.name} autoComplete="name" required defaultValue={account.name} />
        <Field
          name="email"
          label={TEXTS.email}
          type="email"
          autoComplete="username"
          required
          defaultValue={account.email}
        />
        {error !== null && <Problem error={error} />}
        <div className={formStyles.acts}>
          <Button type="submit" isBusy={isPending}>
            {texts.button}
          </Button>
          {isSuccess && <p role="status">{texts.saved}</p>}
        </div>
      </form>
    </Section>
  )
}

interface ProfileChange {
  readonly name: string
  readonly email?: string
}
