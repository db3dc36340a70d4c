import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Row, Time } from '../../components/list.tsx'
import { Section } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { Value } from '../../components/value.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useSessionStore } from '../../session.ts'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'

interface ListedSession {
  readonly id: string
  readonly createdAt: string
  readonly seenAt: string
  readonly address: string
  readonly userAgent: string
  readonly isCurrent: boolean
}

const texts = ACCOUNT_TEXTS.sessions

/** Where the account is signed in, and what ends that. */
export function Sessions() {
  const session = useSessionStore()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['account', 'sessions'],
    queryFn: ({ signal }) => askApi<ListedSession[]>('/account/sessions', { signal }),
  })
  const end = useMutation({
    mutationFn: (which: string) => askApi(`/account/sessions${which}`, { method: 'DELETE' }),
    onSuccess: (_, which) =>
      which === '' ? session.forget() : client.invalidateQueries({ queryKey: ['account', 'sessions'] }),
  })
  const run = (which: string) => end.isPending || end.mutate(which)
  return (
    <Section title={texts.title}>
      <ReadProblem error={error} onAgain={refetch} />
      {data === undefined && error === null && <Waiting reading={texts.reading} />}
      <ul>
        {data?.map((each) => (
          <SessionRow key={each.id} session={each} onEnd={() => run(`/${each.id}`)} />
        ))}
      </ul>
      {end.error !== null && <Problem error={end.error} />}
      <div className={formStyles.acts}>
        <Button onClick={() => run('?keepCurrent=true')}>{texts.endOthers}</Button>
        <Button onClick={() => run('')}>{texts.endAll}</Button>
      </div>
    </Section>
  )
}

interface SessionRowProps {
  readonly session: ListedSession
  readonly onEnd: () => void
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { userAgent, address, createdAt, seenAt, isCurrent } = session
  const agent = userAgent === '' ? texts.unknown : userAgent
  return (
    <Row
      name={<Value text={agent} />}
      mark={isCurrent ? texts.current : undefined}
      acts={
        isCurrent ? undefined : (
          <Button aria-label={texts.endOf(agent)} onClick={onEnd}>
            {texts.end}
          </Button>
        )
      }
    >
      <p>
        {texts.from} <Value text={address} /> {texts.since} <Time at={createdAt} />, {texts.seen}{' '}
        <Time at={seenAt} />
      </p>
    </Row>
  )
}
