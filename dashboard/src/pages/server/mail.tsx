import { useMutation } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { ActProblem } from '../../components/act-problem.tsx'
import { Button } from '../../components/button.tsx'
import { Facts } from '../../components/facts.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { Value } from '../../components/value.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'

/** What sends mail; null where nothing does. */
export type MailFacts = {
  readonly host: string
  readonly port: number
  readonly security: keyof typeof texts.securities
  readonly from: string
} | null

const texts = SERVER_TEXTS.mail

export function Mail({ mail }: { readonly mail: MailFacts }) {
  if (mail === null)
    return (
      <Section title={texts.title} isWide>
        <p>{texts.off}</p>
      </Section>
    )
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <Facts
        facts={[
          [texts.server, <Value key="server" text={`${mail.host}:${mail.port}`} />],
          [texts.security, texts.securities[mail.security]],
          [texts.from, <Value key="from" text={mail.from} />],
        ]}
      />
      <Trial />
    </Section>
  )
}

function Trial() {
  const trial = useMutation({
    mutationFn: () => askApi<{ email: string }>('/server/test-mail', { method: 'POST', json: {} }),
  })
  return (
    <>
      <ActProblem act={trial} />
      <div className={formStyles.acts}>
        <Button isBusy={trial.isPending} onClick={() => trial.isPending || trial.mutate()}>
          {texts.button}
        </Button>
        <span role="status" className={formStyles.note}>
          {trial.data !== undefined && (
            <>
              {texts.sent} <Value text={trial.data.email} />.
            </>
          )}
        </span>
      </div>
    </>
  )
}
