import { useQueryClient } from '@tanstack/react-query'
import { navigate, useSearch } from 'wouter/use-browser-location'
import { appPath } from '../apps-data.ts'
import { AppPage } from '../components/app-page.tsx'
import { Value } from '../components/value.tsx'
import { Browser } from '../data/browser.tsx'
import { CollectionLinks } from '../data/collection-links.tsx'
import { formatView, parseView, type View } from '../data/view-url.ts'
import { pathParts } from '../path-parts.ts'

/** The documents of a collection, as the address says which. */
export default function CollectionPage({ slug }: { readonly slug: string }) {
  const collection = pathParts()[3] ?? ''
  const view = parseView(useSearch())
  const client = useQueryClient()
  const pathOf = (name: string) => `/_${appPath(slug)}/data/${encodeURIComponent(name)}`
  const show = (next: View, { replace = false } = {}) =>
    navigate(`${pathOf(collection)}${formatView(next)}`, { replace })
  const follow = (name: string) => {
    void client.invalidateQueries({ queryKey: ['apps', slug] })
    navigate(pathOf(name), { replace: true })
  }
  return (
    <AppPage
      slug={slug}
      page="data"
      title={<Value text={collection} />}
      beside={<CollectionLinks slug={slug} current={collection} />}
      isWhole
    >
      {(app) => (
        <Browser
          key={collection}
          app={app}
          collection={collection}
          view={view}
          onShow={show}
          onRenamed={follow}
        />
      )}
    </AppPage>
  )
}
