import { useQuery } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { Facts } from '../../components/facts.tsx'
import { Section } from '../../components/page.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { type DescribedQuota, QUOTA_LIMITS } from '../../quota.ts'
import { QUOTA_TEXTS } from '../../texts/quota.ts'
import styles from './own-quota.module.css'

const { own: TEXTS, names } = QUOTA_TEXTS

/** What one may have on this server, and has; nothing where nothing is limited. */
export function OwnQuota() {
  const { data, error, refetch } = useQuery({
    queryKey: ['account', 'quota'],
    queryFn: ({ signal }) => askApi<DescribedQuota>('/account/quota', { signal }),
  })
  if (error !== null) return <ReadProblem error={error} onAgain={refetch} />
  const limits = QUOTA_LIMITS.filter((limit) => data !== undefined && data.limits[limit] !== null)
  if (data === undefined || limits.length === 0) return null
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <Facts
        facts={limits.map((limit) => {
          const [used, most] = [data.used[limit], data.limits[limit]!]
          return [
            names[limit],
            <div key={limit} className={styles.used}>
              {used !== null && (
                <meter
                  aria-label={names[limit]}
                  min={0}
                  max={Math.max(1, most)}
                  value={Math.min(used, most)}
                />
              )}
              <span>{TEXTS.used(limit, used, most)}</span>
              {TEXTS.notes[limit] !== '' && <small>{TEXTS.notes[limit]}</small>}
            </div>,
          ]
        })}
      />
    </Section>
  )
}
