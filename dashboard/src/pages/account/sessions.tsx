import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { ActProblem } from '../../components/act-problem.tsx'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Mark } from '../../components/mark.tsx'
import { Section } from '../../components/page.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table, TableActs } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
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
  const query = useQuery({
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
    <Section title={texts.title} isWide>
      <ReadState query={query} reading={texts.reading} />
      {query.data !== undefined && (
        <Table
          label={texts.title}
          columns={texts.columns}
          plain={['acts']}
          rows={query.data}
          keyOf={({ id }) => id}
          cells={({ id, userAgent, address, createdAt, seenAt, isCurrent }) => {
            const agent = userAgent === '' ? texts.unknown : userAgent
            return {
              agent: (
                <>
                  <Value text={agent} /> {isCurrent && <Mark>{texts.current}</Mark>}
                </>
              ),
              address: <Value text={address} />,
              since: <Time at={createdAt} />,
              seen: <Time at={seenAt} />,
              acts: isCurrent ? null : (
                <TableActs>
                  <Button aria-label={texts.endOf(agent)} onClick={() => run(`/${id}`)}>
                    {texts.end}
                  </Button>
                </TableActs>
              ),
            }
          }}
        />
      )}
      <ActProblem act={end} />
      <div className={formStyles.acts}>
        <Button onClick={() => run('?keepCurrent=true')}>{texts.endOthers}</Button>
        <Button onClick={() => run('')}>{texts.endAll}</Button>
      </div>
    </Section>
  )
}
