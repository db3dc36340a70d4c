import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askApi } from '../api.ts'
import { appPath } from '../apps-data.ts'
import { Button } from '../components/button.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { Value } from '../components/value.tsx'
import { DATA_TEXTS } from '../texts/data.ts'
import type { CollectionAddress } from './documents-api.ts'
import { queryOf, type View } from './view-url.ts'

/** How often it is asked how far an index is. */
const PROGRESS_MS = 1000

interface IndexOfferProps extends CollectionAddress {
  readonly view: Pick<View, 'q' | 's'>
  /** Once the index can be used. */
  readonly onReady: () => void
}

interface BuiltIndex {
  readonly fields: string
  readonly state: 'building' | 'ready' | 'failed'
  readonly builtDocuments?: number
  readonly documents?: number
}

/** Offers an index that would serve a query, where there is such; then says how far it is. */
export function IndexOffer({ slug, collection, view, onReady }: IndexOfferProps) {
  const base = appPath(slug)
  const { q = '{}', s } = queryOf({ ...view, f: '' })
  const search = new URLSearchParams({ collection, q, ...(s !== undefined && { s }) })
  const { data: advice } = useQuery({
    queryKey: ['apps', slug, 'index-advice', collection, q, s],
    queryFn: ({ signal }) =>
      askApi<{ readonly fields: string | null }>(`${base}/index-advice?${search}`, { signal }),
  })
  const fields = advice?.fields ?? undefined
  const make = useMutation({
    mutationFn: () =>
      askApi(`${base}/indexes?${new URLSearchParams({ collection })}`, { method: 'POST', json: { fields } }),
  })
  const { data: indexes } = useQuery({
    queryKey: ['apps', slug, 'indexes', collection],
    queryFn: ({ signal }) =>
      askApi<readonly BuiltIndex[]>(`${base}/indexes?${new URLSearchParams({ collection })}`, { signal }),
    enabled: make.isSuccess,
    refetchInterval: PROGRESS_MS,
  })
  const made = indexes?.find((index) => index.fields === fields)
  const isReady = made?.state === 'ready'
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once.
  useEffect(() => {
    if (isReady) onReady()
  }, [isReady])
  if (fields === undefined) return null
  if (make.isSuccess) return <Progress index={made} />
  return (
    <>
      <Button isBusy={make.isPending} onClick={() => make.mutate()}>
        {DATA_TEXTS.makeIndex} <Value text={fields} />
      </Button>
      <ReadProblem error={make.error} />
    </>
  )
}

function Progress({ index }: { readonly index: BuiltIndex | undefined }) {
  const { builtDocuments = 0, documents = 0 } = index ?? {}
  const share = documents === 0 ? 0 : Math.floor((100 * builtDocuments) / documents)
  return <span>{DATA_TEXTS.makingIndex(share)}</span>
}
