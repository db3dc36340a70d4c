import { Link } from 'wouter'
import { appPath } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { ReadState } from '../components/read-state.tsx'
import { Value } from '../components/value.tsx'
import { CollectionLinks } from '../data/collection-links.tsx'
import { useIndexes } from '../indexes-data.ts'
import { pathParts } from '../path-parts.ts'
import { INDEX_TEXTS as TEXTS } from '../texts/performance.ts'
import { IndexTable } from './indexes/index-table.tsx'
import styles from './indexes/indexes.module.css'
import { NewIndex } from './indexes/new-index.tsx'

/** The indexes of a collection, as the address says of which. */
export default function IndexesPage({ slug }: { readonly slug: string }) {
  const collection = pathParts()[3] ?? ''
  return (
    <AppPage
      slug={slug}
      page="data"
      title={
        <>
          <Link href={`${appPath(slug)}/data/${encodeURIComponent(collection)}`}>
            <Value text={collection} />
          </Link>
          {' / '}
          {TEXTS.title}
        </>
      }
      beside={<CollectionLinks slug={slug} current={collection} />}
    >
      {({ role }) => (
        <>
          <h1>
            {TEXTS.of} <Value text={collection} />
          </h1>
          <p className={styles.dim}>
            {TEXTS.explained}{' '}
            <Link href={`${appPath(slug)}/performance?${new URLSearchParams({ collection })}`}>
              {TEXTS.performance}
            </Link>
          </p>
          <Indexes slug={slug} collection={collection} mayMake={role !== 'viewer'} />
          {role === 'viewer' ? (
            <p>{TEXTS.onlyEditors}</p>
          ) : (
            <NewIndex key={collection} slug={slug} collection={collection} />
          )}
        </>
      )}
    </AppPage>
  )
}

interface IndexesProps {
  readonly slug: string
  readonly collection: string
  readonly mayMake: boolean
}

function Indexes({ slug, collection, mayMake }: IndexesProps) {
  const query = useIndexes({ slug, collection })
  return (
    <>
      <ReadState query={query} reading={TEXTS.reading} />
      {query.data?.length === 0 && <p>{TEXTS.none}</p>}
      {query.data !== undefined && query.data.length > 0 && (
        <IndexTable slug={slug} collection={collection} mayDrop={mayMake} indexes={query.data} />
      )}
    </>
  )
}
