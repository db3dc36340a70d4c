import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { ALERT_TEXTS } from '../../texts/alerts.ts'
import { AlertWebhook } from './alert-webhook.tsx'

interface Alert {
  readonly id: string
  readonly kind: keyof typeof ALERT_TEXTS.kinds
  readonly message: string
  readonly raisedAt: string
  readonly endedAt: string | null
}

interface DescribedAlerts {
  readonly firing: readonly Alert[]
  readonly ended: readonly Alert[]
}

const texts = ALERT_TEXTS
const SHOWN_ENDED = 5

/** What is or was wrong with the server, and where that is told. */
export function Alerts() {
  const query = useQuery({
    queryKey: ['server', 'alerts'],
    queryFn: ({ signal }) => askApi<DescribedAlerts>('/server/alerts', { signal }),
  })
  const { data } = query
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <ReadState query={query} reading={texts.reading} />
      {data !== undefined && (
        <>
          {data.firing.length === 0 ? <p>{texts.none}</p> : <Firing alerts={data.firing} />}
          {data.ended.length > 0 && <Ended alerts={data.ended} />}
        </>
      )}
      <AlertWebhook />
    </Section>
  )
}

function Firing({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { kind, message, since } = texts.columns
  return (
    <>
      <h3>{texts.firing}</h3>
      <Table
        label={texts.firing}
        columns={{ kind, message, since }}
        rows={alerts}
        keyOf={({ id }) => id}
        cells={(alert) => ({ ...cellsOf(alert), since: <Time at={alert.raisedAt} /> })}
      />
    </>
  )
}

function Ended({ alerts }: { readonly alerts: readonly Alert[] }) {
  const [areAllShown, setAreAllShown] = useState(false)
  const { kind, message, ended } = texts.columns
  return (
    <>
      <h3>{texts.ended}</h3>
      <Table
        label={texts.ended}
        columns={{ kind, message, ended }}
        rows={areAllShown ? alerts : alerts.slice(0, SHOWN_ENDED)}
        keyOf={({ id }) => id}
        cells={(alert) => ({ ...cellsOf(alert), ended: <Time at={alert.endedAt} /> })}
      />
      {alerts.length > SHOWN_ENDED && !areAllShown && (
        <div className={formStyles.acts}>
          <Button onClick={() => setAreAllShown(true)}>{texts.more(String(alerts.length))}</Button>
        </div>
      )}
    </>
  )
}

function cellsOf({ kind, message }: Alert) {
  return { kind: texts.kinds[kind], message: <Value text={message} /> }
}
