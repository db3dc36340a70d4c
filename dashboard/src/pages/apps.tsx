import { useQuery } from '@tanstack/react-query'
import { askApi } from '../api.ts'
import { Bar } from '../components/bar.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { Waiting } from '../components/waiting.tsx'
import { localDate, TEXTS } from '../texts.ts'
import styles from './apps.module.css'

interface App {
  readonly slug: string
  readonly role: keyof typeof TEXTS.apps.role
  /** The e-mail of its owner; null where it is the operator's. */
  readonly owner: string | null
  readonly createdAt: string
}

export function AppsPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['apps'],
    queryFn: ({ signal }) => askApi<App[]>('/apps', { signal }),
  })
  return (
    <>
      <title>{TEXTS.titleOf(TEXTS.apps.title)}</title>
      <Bar path={TEXTS.apps.title} />
      <main className={styles.main}>
        <h1>{TEXTS.apps.title}</h1>
        <ReadProblem error={error} onAgain={refetch} />
        {data === undefined && error === null && <Waiting reading={TEXTS.reading} />}
        {data?.length === 0 && (
          <div className={styles.empty}>
            <h2>{TEXTS.apps.none}</h2>
            <p>{TEXTS.apps.noneExplained}</p>
          </div>
        )}
        <ul className={styles.cards}>
          {data?.map((app) => (
            <Card key={app.slug} app={app} />
          ))}
        </ul>
      </main>
    </>
  )
}

function Card({ app: { slug, role, owner, createdAt } }: { readonly app: App }) {
  return (
    <li className={styles.card}>
      <h2>
        <bdi>{slug}</bdi>
      </h2>
      <p>
        {TEXTS.apps.role[role]}
        {role !== 'owner' && `, ${owner === null ? TEXTS.apps.ofOperator : TEXTS.apps.sharedBy(owner)}`}
      </p>
      <p>
        {TEXTS.apps.made} <time dateTime={createdAt}>{localDate(createdAt)}</time>
      </p>
    </li>
  )
}
