import { type Analytics, type Chosen, rangeOf, useAnalytics } from '../analytics/analytics-data.ts'
import { appPath, useOfApp } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { Button } from '../components/button.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import { ReadState } from '../components/read-state.tsx'
import { SegmentedSwitch } from '../components/segmented-switch.tsx'
import { SelectField } from '../components/select-field.tsx'
import { Snippet } from '../components/snippet.tsx'
import type { AppKey } from '../key-rules.ts'
import { showUnseen } from '../show-unseen.ts'
import { collectionAddress, SNIPPETS } from '../snippets.ts'
import { ANALYTICS_TEXTS as TEXTS } from '../texts/analytics.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { useFilters } from '../use-filters.ts'
import styles from './analytics/analytics.module.css'
import { Breakdown } from './analytics/breakdown.tsx'
import { Charts } from './analytics/charts.tsx'
import { Errors } from './analytics/errors.tsx'
import { LiveTail } from './analytics/live-tail.tsx'
import { Slowest } from './analytics/slowest.tsx'
import { Totals } from './analytics/totals.tsx'
import { SiteVisits } from './analytics/visits.tsx'

/** The name in the example, where the app has no collection yet. */
const FIRST_COLLECTION = 'notes'

/** What an app's traffic is. */
export default function AnalyticsPage({ slug }: { readonly slug: string }) {
  return (
    <AppPage slug={slug} page="analytics">
      {() => (
        <>
          <h1>{TEXTS.title}</h1>
          <p className={styles.explained}>{TEXTS.explained}</p>
          <Traffic slug={slug} />
        </>
      )}
    </AppPage>
  )
}

function Traffic({ slug }: { readonly slug: string }) {
  const { of, set, clear } = useFilters(['range', 'key', 'collection'])
  const chosen = { slug, range: rangeOf(of('range')), key: of('key'), collection: of('collection') }
  const query = useAnalytics(chosen)
  const isFiltered = chosen.key !== '' || chosen.collection !== ''
  return (
    <>
      <search className={styles.filters}>
        <SegmentedSwitch
          name="range"
          label={TEXTS.range}
          options={TEXTS.ranges}
          value={chosen.range}
          onChange={(range) => set('range', range)}
        />
        <KeyChoice slug={slug} value={chosen.key} onChange={(key) => set('key', key)} />
        <CollectionChoice
          slug={slug}
          value={chosen.collection}
          onChange={(name) => set('collection', name)}
        />
      </search>
      {isFiltered && <p className={styles.dim}>{TEXTS.filtered}</p>}
      <ReadState query={query} reading={TEXTS.reading} />
      {query.data !== undefined && <Shown analytics={query.data} chosen={chosen} onClear={clear} />}
      <LiveTail slug={slug} />
    </>
  )
}

interface ChoiceProps {
  readonly slug: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function KeyChoice({ slug, value, onChange }: ChoiceProps) {
  const { data: keys = [] } = useOfApp<readonly AppKey[]>(slug, '/keys')
  const names = keys.map(({ id, name }) => [id, showUnseen(name)])
  return (
    <SelectField
      name="key"
      label={TEXTS.key}
      options={Object.fromEntries([
        ['', TEXTS.allKeys],
        [value, value === '' ? TEXTS.allKeys : TEXTS.goneKey],
        ...names,
      ])}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function CollectionChoice({ slug, value, onChange }: ChoiceProps) {
  const { data: collections = [] } = useOfApp<readonly string[]>(slug, '/collections')
  const names = [...collections, ...(value === '' ? [] : [value])].map((name) => [name, showUnseen(name)])
  return (
    <SelectField
      name="collection"
      label={TEXTS.collection}
      options={Object.fromEntries([['', TEXTS.allCollections], ...names])}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface ShownProps {
  readonly analytics: Analytics
  readonly chosen: Chosen
  readonly onClear: () => void
}

function Shown({ analytics, chosen, onClear }: ShownProps) {
  const { slug } = chosen
  const { range, visits, slowest } = analytics
  const hasRequests = analytics.totals.requests > 0
  return (
    <>
      {hasRequests ? <Totals analytics={analytics} /> : <Nothing chosen={chosen} onClear={onClear} />}
      <Charts key={range} chosen={chosen} analytics={analytics} hasRequests={hasRequests} />
      {hasRequests && (
        <>
          <Breakdown chosen={chosen} analytics={analytics} />
          <Errors chosen={chosen} analytics={analytics} />
          {visits !== null && <SiteVisits chosen={chosen} visits={visits} time={analytics} />}
          <Slowest slug={slug} slowest={slowest} />
        </>
      )}
    </>
  )
}

/** What stands there where there was no request, with the next step. */
function Nothing({ chosen: { slug, range, key, collection }, onClear }: Omit<ShownProps, 'analytics'>) {
  const { data: collections = [] } = useOfApp<readonly string[]>(slug, '/collections')
  const { nothing } = TEXTS
  if (key !== '' || collection !== '')
    return (
      <div className={styles.nothing}>
        <h2>{nothing.filtered(range)}</h2>
        <Button onClick={onClear}>{TEXTS.showAll}</Button>
      </div>
    )
  const [first] = collections
  const address = collectionAddress(location.origin, slug, first ?? FIRST_COLLECTION)
  return (
    <div className={styles.nothing}>
      <h2>{nothing.title(range)}</h2>
      <p className={styles.dim}>{nothing.explained}</p>
      <Snippet text={SNIPPETS.curl({ address, saves: first === undefined })} label={nothing.snippet} />
      <p className={styles.dim}>{APP_TEXTS.connect.certificate}</p>
      {range !== 'month' && (
        <ButtonLink href={`${appPath(slug)}/analytics?range=month`}>{nothing.longer}</ButtonLink>
      )}
    </div>
  )
}
