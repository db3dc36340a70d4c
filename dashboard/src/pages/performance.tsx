import { useState } from 'react'
import { useOfApp } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { Button } from '../components/button.tsx'
import { Choice } from '../components/choice.tsx'
import { ReadState } from '../components/read-state.tsx'
import { SelectField } from '../components/select-field.tsx'
import { Time } from '../components/time.tsx'
import type { AppQueries, AppQuery } from '../indexes-data.ts'
import { showUnseen } from '../show-unseen.ts'
import { PERFORMANCE_TEXTS as TEXTS } from '../texts/performance.ts'
import { useFilters } from '../use-filters.ts'
import { AutomaticIndexes } from './performance/automatic-indexes.tsx'
import styles from './performance/performance.module.css'
import { QueryTable } from './performance/query-table.tsx'
import { UnusedIndexes } from './performance/unused-indexes.tsx'

/** How many are shown at first, and by each press of a button. */
const SHOWN = 50

/** What reads of an app cost, and what helps. */
export default function PerformancePage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="performance">
      {({ role }) => (
        <>
          <h1>{TEXTS.title}</h1>
          <p className={styles.dim}>{TEXTS.explained}</p>
          <Queries slug={slug} mayMake={role !== 'viewer'} />
          <UnusedIndexes slug={slug} />
          <AutomaticIndexes slug={slug} isOwner={role === 'owner'} />
        </>
      )}
    </AppPage>
  )
}

interface QueriesProps {
  readonly slug: string
  readonly mayMake: boolean
}

function Queries({ slug, mayMake }: QueriesProps) {
  const query = useOfApp<AppQueries>(slug, '/queries')
  const { data } = query
  return (
    <section className={styles.section} aria-labelledby="queries">
      <h2 id="queries">{TEXTS.queries}</h2>
      {data !== undefined && data.since !== null && (
        <p className={styles.dim}>
          {TEXTS.since} <Time at={data.since} />
        </p>
      )}
      <ReadState query={query} reading={TEXTS.reading} />
      {data?.queries.length === 0 && (
        <p className={styles.dim}>
          {TEXTS.none}. {TEXTS.noneExplained}
        </p>
      )}
      {data !== undefined && data.queries.length > 0 && (
        <Filtered slug={slug} mayMake={mayMake} told={data} />
      )}
    </section>
  )
}

function Filtered({ slug, mayMake, told }: QueriesProps & { readonly told: AppQueries }) {
  const { of, set, clear } = useFilters(['collection', 'slow'])
  const [most, setMost] = useState(SHOWN)
  const { queries, slowMs } = told
  const found = queries.filter(isLike({ collection: of('collection'), isSlow: of('slow') !== '' }))
  const names = new Set([...queries.map(({ collection }) => collection), of('collection')])
  const collections = [...names].filter((name) => name !== '').sort()
  return (
    <>
      <search className={styles.filters}>
        <SelectField
          name="collection"
          label={TEXTS.collection}
          options={Object.fromEntries([
            ['', TEXTS.allCollections],
            ...collections.map((name) => [name, showUnseen(name)]),
          ])}
          value={of('collection')}
          onChange={({ currentTarget: { value } }) => set('collection', value)}
        />
        <Choice
          type="checkbox"
          name="slow"
          label={TEXTS.onlySlow(slowMs)}
          checked={of('slow') !== ''}
          onChange={({ currentTarget: { checked } }) => set('slow', checked ? '1' : '')}
        />
      </search>
      {found.length === 0 ? (
        <div className={styles.none} role="status">
          <p>{TEXTS.noneFound}</p>
          <Button onClick={clear}>{TEXTS.clear}</Button>
        </div>
      ) : (
        <QueryTable slug={slug} mayMake={mayMake} queries={found.slice(0, most)} />
      )}
      {found.length > most && (
        <Button className={styles.more} onClick={() => setMost(most + SHOWN)}>
          {TEXTS.more(Math.min(SHOWN, found.length - most))}
        </Button>
      )}
    </>
  )
}

/** @param collection empty for those of all */
function isLike({ collection, isSlow }: { collection: string; isSlow: boolean }) {
  return (query: AppQuery): boolean =>
    (collection === '' || query.collection === collection) && (!isSlow || query.slow > 0)
}
