import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { Problem } from '../../components/problem.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { localTime } from '../../texts.ts'
import { useWaysIn } from '../../ways-in.ts'

const texts = SERVER_TEXTS.invitation

/** Makes a link by which somebody makes an account. */
export function Invitation() {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const waysIn = useWaysIn()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const typed = new FormData(form)
      const email = String(typed.get('email')).trim()
      const send = typed.has('send')
      const json = { ...(email !== '' && { email }), isOperator: typed.has('isOperator'), send }
      return confirmed(async () => {
        const made = await askApi<{ link: string; until: string }>('/server/invitations', {
          method: 'POST',
          json,
        })
        return { ...made, sentTo: send ? email : undefined }
      })
    },
    onSuccess: (_, form) => {
      form.reset()
      return client.invalidateQueries({ queryKey: ['server', 'audit'] })
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(event.currentTarget)
  }
  return (
    <Section title={texts.title} note={texts.note}>
      {data !== undefined && (
        <ShownOnce
          note={texts.made(localTime(data.until), data.sentTo)}
          label={texts.label}
          secret={data.link}
          onDone={reset}
        />
      )}
      <form className={formStyles.form} onSubmit={submit}>
        <Field name="email" label={texts.email} type="email" autoComplete="off" />
        {waysIn?.mail && <Choice type="checkbox" name="send" label={texts.send} />}
        <Choice type="checkbox" name="isOperator" label={texts.isOperator} />
        {error !== null && <Problem error={error} />}
        <div className={formStyles.acts}>
          <Button type="submit" isBusy={isPending}>
            {texts.button}
          </Button>
        </div>
      </form>
    </Section>
  )
}
