import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Row, Time } from '../../components/list.tsx'
import { Section } from '../../components/page.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'

interface AuditEntry {
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
  readonly address: string | null
}

const texts = SERVER_TEXTS.audit
const FIRST = 20
/** As many as the server gives at a time. */
const MOST = 1000

/** What was changed on the server: by whom, from where, when. */
export function ServerAudit() {
  const [limit, setLimit] = useState(FIRST)
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'audit', limit],
    queryFn: ({ signal }) => askApi<AuditEntry[]>(`/server/audit?l=${limit}`, { signal }),
    placeholderData: keepPreviousData,
  })
  const isMore = data !== undefined && data.length >= limit && limit < MOST
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <ReadProblem error={error} onAgain={refetch} />
      {data === undefined && error === null && <Waiting reading={texts.reading} />}
      {data?.length === 0 && <p>{texts.none}</p>}
      <ul>
        {data?.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no id, and two may be alike.
          <AuditRow key={`${entry.at} ${index}`} entry={entry} />
        ))}
      </ul>
      {isMore && (
        <div className={formStyles.acts}>
          <Button onClick={() => setLimit(Math.min(limit * 5, MOST))}>{texts.more}</Button>
        </div>
      )}
    </Section>
  )
}

function AuditRow({
  entry: { at, actor, action, subject, details, address },
}: {
  readonly entry: AuditEntry
}) {
  const hasDetails = Object.keys(details).length > 0
  return (
    <Row
      name={
        <>
          <code>{action}</code> <bdi>{subject}</bdi>
        </>
      }
    >
      <p>
        <Time at={at} /> {texts.by} <bdi>{actor}</bdi>
        {address !== null && ` ${texts.from} ${address}`}
      </p>
      {hasDetails && (
        <p>
          <bdi>
            <code>{JSON.stringify(details)}</code>
          </bdi>
        </p>
      )}
    </Row>
  )
}
