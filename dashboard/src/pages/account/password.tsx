import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { PasswordField } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { Problem } from '../../components/problem.tsx'
import { CodeField } from '../../components/sign-in-form.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { TEXTS } from '../../texts.ts'
import type { WaysIn } from '../../ways-in.ts'
import type { DescribedAccount } from './described-account.ts'

const texts = ACCOUNT_TEXTS.password

/**
 * Another password, for whoever knows the current one, and has a code where there is a second factor. Where there is none,
 * the first one; where there is another way in, the way to do without.
 */
export function Password({ account, waysIn }: Pick<DescribedAccount, 'account' | 'waysIn'>) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const json = Object.fromEntries(new FormData(form))
      return confirmed(() => askApi('/account/password', { method: 'PUT', json }))
    },
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
  return (
    <Section title={texts.title} note={waysIn.password ? texts.note : texts.none}>
      <form className={formStyles.form} onSubmit={submit}>
        {waysIn.password && (
          <PasswordField name="current" label={texts.current} autoComplete="current-password" required />
        )}
        <PasswordField
          name="password"
          label={TEXTS.newPassword}
          hint={TEXTS.passwordHint}
          autoComplete="new-password"
          required
        />
        {waysIn.password && account.hasTotp && <CodeField autoFocus={false} />}
        {error !== null && <Problem error={error} />}
        <div className={formStyles.acts}>
          <Button type="submit" isBusy={isPending}>
            {waysIn.password ? texts.button : texts.set}
          </Button>
          {isSuccess && <p role="status">{texts.changed}</p>}
        </div>
      </form>
      {waysIn.password && (waysIn.passkeys || waysIn.oidc) && <Removal />}
    </Section>
  )
}

function Removal() {
  const client = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const { data } = useQuery({
    queryKey: ['ways-in'],
    queryFn: ({ signal }) => askApi<WaysIn>('/ways-in', { signal }),
  })
  const close = () => setIsOpen(false)
  return (
    <div className={formStyles.acts}>
      <Button onClick={() => setIsOpen(true)}>{texts.remove}</Button>
      {isOpen && (
        <ActDialog
          title={texts.remove}
          explained={data?.mail === false ? texts.removeExplained : texts.removeWithMail}
          button={texts.remove}
          act={() => askApi('/account/password', { method: 'DELETE' })}
          onDone={() => {
            close()
            return client.invalidateQueries({ queryKey: ['account'] })
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
