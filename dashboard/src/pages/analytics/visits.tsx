import { type Analytics, type Chosen, csvAddress, type Visits } from '../../analytics/analytics-data.ts'
import { daysOf } from '../../analytics/time-steps.ts'
import { Value } from '../../components/value.tsx'
import { ANALYTICS_TEXTS } from '../../texts/analytics.ts'
import styles from './analytics.module.css'
import { Part } from './breakdown.tsx'
import { FiguresTable } from './figures-table.tsx'

const { visits: TEXTS, columns: COLUMNS, others: OTHERS, ofDays } = ANALYTICS_TEXTS

interface VisitsProps {
  readonly chosen: Chosen
  readonly visits: Visits
  /** Of what was asked for. */
  readonly time: Pick<Analytics, 'from' | 'to'>
}

/** What was looked at of the app's site, and which sites led there. */
export function SiteVisits({ chosen, visits: { total, paths, referrers }, time }: VisitsProps) {
  return (
    <div className={styles.tables}>
      <p className={`${styles.dim} ${styles.across}`}>
        {TEXTS.total(total)}. {ofDays(...daysOf(time))} {TEXTS.explained}
      </p>
      <Part id="paths" title={TEXTS.paths} csv={csvAddress(chosen, 'paths')}>
        <Counts
          label={TEXTS.paths}
          column={COLUMNS.path}
          rows={paths.map(({ path, visits, others }) => ({ name: others ? undefined : path, visits }))}
        />
      </Part>
      <Part id="referrers" title={TEXTS.referrers} csv={csvAddress(chosen, 'referrers')}>
        <Counts
          label={TEXTS.referrers}
          column={COLUMNS.host}
          rows={referrers.map(({ host, visits, others }) => ({
            name: others ? undefined : host === '' ? TEXTS.noReferrer : host,
            visits,
          }))}
        />
      </Part>
    </div>
  )
}

interface CountsProps {
  readonly label: string
  readonly column: string
  readonly rows: readonly { readonly name: string | undefined; readonly visits: number | undefined }[]
}

function Counts({ label, column, rows }: CountsProps) {
  return (
    <FiguresTable
      label={label}
      columns={{ name: column, visits: COLUMNS.visits }}
      words={['name']}
      rows={rows}
      keyOf={({ name }) => name ?? '\0'}
      cells={({ name, visits }) => ({
        name: name === undefined ? OTHERS : <Value text={name} />,
        visits: visits?.toLocaleString(),
      })}
    />
  )
}
