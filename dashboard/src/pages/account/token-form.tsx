import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Choice, Choices } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { useConfirmed } from '../../components/password-required.tsx'
import { Problem } from '../../components/problem.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'

export interface ListedToken {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly expiresAt: string
  readonly lastUsedAt: string | null
}

const texts = ACCOUNT_TEXTS.tokens
const PERMISSIONS = ['read', 'write', 'apps', 'server'] as const
const OF_OPERATORS: ReadonlySet<string> = new Set(['server'])

interface TokenFormProps {
  readonly isOperator: boolean
  readonly onMade: () => unknown
}

/** Makes a token, and shows it once. */
export function TokenForm({ isOperator, onMade }: TokenFormProps) {
  const confirmed = useConfirmed()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const typed = new FormData(form)
      const json = {
        name: typed.get('name'),
        permissions: typed.getAll('permissions'),
        expires: typed.get('expires'),
      }
      return confirmed(() => askApi<{ token: string }>('/account/tokens', { method: 'POST', json }))
    },
    onSuccess: (_, form) => {
      form.reset()
      return onMade()
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(event.currentTarget)
  }
  return (
    <>
      {data !== undefined && (
        <ShownOnce note={texts.made} label={texts.label} secret={data.token} onDone={reset} />
      )}
      <form className={formStyles.form} onSubmit={submit}>
        <Field name="name" label={texts.name} autoComplete="off" required />
        <Choices label={texts.permissions}>
          {PERMISSIONS.filter((each) => isOperator || !OF_OPERATORS.has(each)).map((each) => (
            <Choice
              key={each}
              type="checkbox"
              name="permissions"
              value={each}
              label={texts.permission[each]}
              defaultChecked={each === 'read'}
            />
          ))}
        </Choices>
        <Field
          name="expires"
          label={texts.ends}
          hint={texts.endsHint}
          autoComplete="off"
          required
          defaultValue="90d"
        />
        {error !== null && <Problem error={error} />}
        <div className={formStyles.acts}>
          <Button type="submit" isBusy={isPending}>
            {texts.button}
          </Button>
        </div>
      </form>
    </>
  )
}
