import { type AppSize, useAppSize } from '../app-size.ts'
import { type App, useRefreshApps } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { CollectionsTable } from '../components/collections-table.tsx'
import { ReadState } from '../components/read-state.tsx'
import { FirstSave } from '../data/first-save.tsx'
import { NewCollection } from '../data/import/new-collection.tsx'
import { Bin } from '../data/upkeep/bin.tsx'
import { CollectionMenu } from '../data/upkeep/collection-menu.tsx'
import { Storage } from '../data/upkeep/storage.tsx'
import { useBinUndo } from '../data/upkeep/use-bin-undo.tsx'
import { APP_TEXTS } from '../texts/apps.ts'
import { DATA_TEXTS } from '../texts/data.ts'

/** The collections of an app, those in its bin, and the room that they take. */
export default function DataPage({ slug }: { readonly slug: string }) {
  const query = useAppSize(slug)
  return (
    <AppPage slug={slug} page="data">
      {(app) => (
        <>
          <h1>{APP_TEXTS.data}</h1>
          <ReadState query={query} reading={DATA_TEXTS.reading} />
          {query.data !== undefined && <Contents app={app} size={query.data} />}
        </>
      )}
    </AppPage>
  )
}

function Contents({ app, size }: { readonly app: App; readonly size: AppSize }) {
  const { slug, role } = app
  const refresh = useRefreshApps()
  const undo = useBinUndo(slug, refresh)
  const mayWrite = role !== 'viewer'
  return (
    <>
      {size.collections.length === 0 ? (
        <FirstSave slug={slug} collection={undefined} />
      ) : (
        <CollectionsTable
          slug={slug}
          collections={size.collections}
          acts={
            mayWrite
              ? ({ name, documents }) => (
                  <CollectionMenu
                    address={{ slug, collection: name }}
                    documents={documents}
                    onRenamed={refresh}
                    onBinned={(entry) => {
                      if (entry !== undefined) undo.offer(entry)
                      void refresh()
                    }}
                  />
                )
              : undefined
          }
        />
      )}
      {mayWrite && <NewCollection slug={slug} />}
      <Bin app={app} />
      <Storage slug={slug} size={size} />
      {undo.toast}
    </>
  )
}
