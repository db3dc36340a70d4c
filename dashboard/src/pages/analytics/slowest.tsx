import { Link } from 'wouter'
import type { Analytics } from '../../analytics/analytics-data.ts'
import { appPath } from '../../apps-data.ts'
import { Table } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import { ANALYTICS_TEXTS, duration } from '../../texts/analytics.ts'
import { timeSpent } from '../../texts/performance.ts'
import styles from './analytics.module.css'
import { Part } from './breakdown.tsx'

const { slowest: TEXTS } = ANALYTICS_TEXTS

interface SlowestProps extends Pick<Analytics, 'slowest'> {
  readonly slug: string
}

/** The shapes of queries that cost the most, with the way to what helps. */
export function Slowest({ slug, slowest }: SlowestProps) {
  return (
    <Part id="slowest" title={TEXTS.title}>
      {slowest.length === 0 ? (
        <p className={styles.dim}>{TEXTS.none}</p>
      ) : (
        <>
          <p className={styles.dim}>{TEXTS.since}</p>
          <Table
            label={TEXTS.title}
            columns={TEXTS.columns}
            rows={slowest}
            keyOf={({ collection, query }) => `${collection}\0${query}`}
            cells={({ collection, query, reads, totalMs, meanMs }) => ({
              query: (
                <>
                  <code>
                    <Value text={query} />
                  </code>{' '}
                  <span className={styles.dim}>
                    {TEXTS.in} <Value text={collection} />
                  </span>
                </>
              ),
              cost: timeSpent(totalMs),
              reads: reads.toLocaleString(),
              mean: duration(meanMs),
            })}
          />
        </>
      )}
      <p>
        <Link href={`${appPath(slug)}/performance`}>{TEXTS.all}</Link>
      </p>
    </Part>
  )
}
