import { useAppSize } from '../app-size.ts'
import { AppPage } from '../components/app-page.tsx'
import { CollectionsTable } from '../components/collections-table.tsx'
import { ReadState } from '../components/read-state.tsx'
import { FirstSave } from '../data/first-save.tsx'
import { NewCollection } from '../data/import/new-collection.tsx'
import { APP_TEXTS } from '../texts/apps.ts'
import { DATA_TEXTS } from '../texts/data.ts'

/** The collections of an app. */
export default function DataPage({ slug }: { readonly slug: string }) {
  const query = useAppSize(slug)
  return (
    <AppPage slug={slug} page="data">
      {({ role }) => (
        <>
          <h1>{APP_TEXTS.data}</h1>
          <ReadState query={query} reading={DATA_TEXTS.reading} />
          {query.data?.collections.length === 0 && <FirstSave slug={slug} collection={undefined} />}
          {query.data !== undefined && query.data.collections.length > 0 && (
            <CollectionsTable slug={slug} collections={query.data.collections} />
          )}
          {query.data !== undefined && role !== 'viewer' && <NewCollection slug={slug} />}
        </>
      )}
    </AppPage>
  )
}
