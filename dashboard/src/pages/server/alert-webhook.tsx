import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { ActProblem } from '../../components/act-problem.tsx'
import { Button } from '../../components/button.tsx'
import { Facts } from '../../components/facts.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { useConfirmed } from '../../components/password-required.tsx'
import { Problem } from '../../components/problem.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { ALERT_TEXTS } from '../../texts/alerts.ts'

interface Webhook {
  readonly url: string
  readonly pending: number
  readonly last: { readonly at: string; readonly problem: string | null } | null
}

const texts = ALERT_TEXTS.webhook
const PATH = '/server/alert-webhook'
const KEY = ['server', 'alert-webhook'] as const

function putWebhook(url: string): Promise<{ readonly secret: string }> {
  return askApi(PATH, { method: 'PUT', json: { url } })
}

/** Where alerts are told: nowhere, until an address is given. */
export function AlertWebhook() {
  const client = useQueryClient()
  const [secret, setSecret] = useState<string>()
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<Webhook | null>(PATH, { signal }),
  })
  const { data } = query
  const shown = (made: { readonly secret: string }): Promise<void> => {
    setSecret(made.secret)
    return client.invalidateQueries({ queryKey: ['server'] })
  }
  return (
    <>
      <h3>{texts.title}</h3>
      <p>{texts.explained}</p>
      <ReadState query={query} reading={texts.reading} />
      {secret !== undefined && (
        <ShownOnce
          note={texts.made}
          label={texts.label}
          secret={secret}
          onDone={() => setSecret(undefined)}
        />
      )}
      {data === null && <NewWebhook onMade={shown} />}
      {data !== undefined && data !== null && <SetWebhook webhook={data} onMade={shown} />}
    </>
  )
}

interface MadeProps {
  /** Told of the secret. */
  readonly onMade: (made: { readonly secret: string }) => Promise<void>
}

function NewWebhook({ onMade }: MadeProps) {
  const confirmed = useConfirmed()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (url: string) => confirmed(() => putWebhook(url)),
    onSuccess: onMade,
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('url')).trim())
  }
  return (
    <form className={formStyles.form} onSubmit={submit}>
      <Field
        name="url"
        label={texts.url}
        hint={texts.hint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        required
      />
      {error !== null && <Problem error={error} />}
      <div className={formStyles.acts}>
        <Button type="submit" isBusy={isPending}>
          {texts.button}
        </Button>
      </div>
    </form>
  )
}

function SetWebhook({ webhook, onMade }: MadeProps & { readonly webhook: Webhook }) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'renew' | 'remove'>()
  const { url, pending, last } = webhook
  const act = async (): Promise<void> => {
    if (asked === 'renew') await onMade(await putWebhook(url))
    else await askApi(PATH, { method: 'DELETE' })
  }
  return (
    <>
      <Facts
        facts={[
          [texts.url, <Value key="url" text={url} />],
          [texts.last, last === null ? texts.noneYet : <Outcome key="last" last={last} />],
          ...(pending === 0 ? [] : [[texts.pending, texts.ofPending(String(pending))] as const]),
        ]}
      />
      <Trial />
      <div className={formStyles.acts}>
        <Button onClick={() => setAsked('renew')}>{texts.renew.button}</Button>
        <Button look="danger" onClick={() => setAsked('remove')}>
          {texts.remove.button}
        </Button>
      </div>
      {asked !== undefined && (
        <ActDialog
          title={texts[asked].button}
          explained={texts[asked].explained}
          button={texts[asked].button}
          {...(asked === 'renew' && { look: 'main' as const })}
          act={act}
          onDone={() => {
            setAsked(undefined)
            return client.invalidateQueries({ queryKey: ['server'] })
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

function Outcome({ last: { at, problem } }: { readonly last: NonNullable<Webhook['last']> }) {
  return (
    <>
      <Time at={at} />, {problem === null ? texts.taken : `${texts.failed} `}
      {problem !== null && <Value text={problem} />}
    </>
  )
}

function Trial() {
  const client = useQueryClient()
  const trial = useMutation({
    mutationFn: () => askApi(`${PATH}/test`, { method: 'POST', json: {} }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
  return (
    <>
      <ActProblem act={trial} />
      <div className={formStyles.acts}>
        <Button isBusy={trial.isPending} onClick={() => trial.isPending || trial.mutate()}>
          {texts.test}
        </Button>
        <span role="status" className={formStyles.note}>
          {trial.isSuccess && texts.sent}
        </span>
      </div>
    </>
  )
}
