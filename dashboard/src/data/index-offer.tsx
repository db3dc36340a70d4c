import { useQuery } from '@tanstack/react-query'
import { askApi } from '../api.ts'
import { appPath } from '../apps-data.ts'
import { Value } from '../components/value.tsx'
import { DATA_TEXTS } from '../texts/data.ts'
import type { CollectionAddress } from './documents-api.ts'
import { MakeIndex } from './make-index.tsx'
import { queryOf, type View } from './view-url.ts'

interface IndexOfferProps extends CollectionAddress {
  readonly view: Pick<View, 'q' | 's'>
  /** Once the index can be used. */
  readonly onReady: () => void
}

/** Offers an index that would serve a query, where there is such; then says how far it is. */
export function IndexOffer({ slug, collection, view, onReady }: IndexOfferProps) {
  const { q = '{}', s } = queryOf({ ...view, f: '' })
  const search = new URLSearchParams({ collection, q, ...(s !== undefined && { s }) })
  const { data: advice } = useQuery({
    queryKey: ['apps', slug, 'index-advice', collection, q, s],
    queryFn: ({ signal }) =>
      askApi<{ readonly fields: string | null }>(`${appPath(slug)}/index-advice?${search}`, { signal }),
  })
  const fields = advice?.fields ?? undefined
  if (fields === undefined) return null
  return (
    <MakeIndex key={fields} {...{ slug, collection, fields, onReady }}>
      {DATA_TEXTS.makeIndex} <Value text={fields} />
    </MakeIndex>
  )
}
