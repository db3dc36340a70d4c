import type { Analytics } from '../../analytics/analytics-data.ts'
import { comparisonWords } from '../../analytics/comparison.ts'
import { daysOf } from '../../analytics/time-steps.ts'
import { ANALYTICS_TEXTS, duration } from '../../texts/analytics.ts'
import { byteCount } from '../../texts.ts'
import styles from './analytics.module.css'

const { totals: TEXTS, ofDays } = ANALYTICS_TEXTS

/** All of the time together, and how it was in as much time before. */
export function Totals({ analytics }: { readonly analytics: Analytics }) {
  const { totals, before, range, addresses, visits } = analytics
  const { requests, errors, p95, bytesIn, bytesOut } = totals
  const today = addresses.at(-1)
  const than = (figure: 'requests' | 'errors' | 'bytesOut') =>
    comparisonWords({ now: totals[figure], before: before?.[figure], range })
  return (
    <ul className={styles.totals}>
      <Total name={TEXTS.requests} value={requests.toLocaleString()} notes={[than('requests')]} />
      <Total
        name={TEXTS.errors}
        value={errors.toLocaleString()}
        notes={[...(requests === 0 ? [] : [TEXTS.share(errors / requests)]), than('errors')]}
      />
      <Total
        name={TEXTS.duration}
        value={p95 === null ? TEXTS.noRequest : duration(p95)}
        notes={[comparisonWords({ now: p95, before: before?.p95, range, isDuration: true })]}
      />
      <Total
        name={TEXTS.sizes}
        value={byteCount(bytesOut)}
        notes={[than('bytesOut'), TEXTS.in(byteCount(bytesIn))]}
      />
      {today !== undefined && (
        <Total name={TEXTS.addresses} value={TEXTS.about(today.count)} notes={[TEXTS.approximate]} />
      )}
      {visits !== null && (
        <Total
          name={TEXTS.visits}
          value={visits.total.toLocaleString()}
          notes={[TEXTS.pages, ofDays(...daysOf(analytics))]}
        />
      )}
    </ul>
  )
}

interface TotalProps {
  readonly name: string
  readonly value: string
  readonly notes: readonly string[]
}

function Total({ name, value, notes }: TotalProps) {
  return (
    <li className={styles.total}>
      <h2>{name}</h2>
      <p className={styles.value}>{value}</p>
      {notes.map((note) => (
        <p key={note} className={styles.dim}>
          {note}
        </p>
      ))}
    </li>
  )
}
