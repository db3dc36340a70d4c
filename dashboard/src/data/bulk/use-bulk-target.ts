import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CollectionAddress } from '../documents-api.ts'
import { countDocuments } from './bulk-api.ts'
import { targetQuery } from './bulk-target.ts'
import type { TargetKind } from './target-choice.tsx'

export interface BulkParts {
  readonly address: CollectionAddress
  /** Of the documents that are shown. */
  readonly q: string
  /** Those of them that are chosen, by their ids as JSON texts. */
  readonly ids: readonly string[]
  /** Of fields that were seen. */
  readonly names: readonly string[]
}

/** What many documents an act is about, and how many of those there are: what is chosen may be gone by now. */
export function useBulkTarget({ address, q, ids }: Omit<BulkParts, 'names'>) {
  const [kind, setKind] = useState<TargetKind>(ids.length > 0 ? 'chosen' : 'matching')
  const queries = {
    chosen: targetQuery({ kind: 'chosen', ids }),
    matching: targetQuery({ kind: 'matching', q }),
  }
  const chosen = useCounted(address, queries.chosen, ids.length > 0)
  const matching = useCounted(address, queries.matching)
  const query = queries[kind]
  const counted = kind === 'chosen' ? chosen : matching
  return {
    kind,
    setKind,
    matching: matching.data,
    query,
    count: query === undefined ? ids.length : counted.data,
    recount: async () => (await counted.refetch({ throwOnError: true })).data!,
  }
}

function useCounted(address: CollectionAddress, q: string | undefined, isAsked = true) {
  return useQuery({
    queryKey: ['apps', address.slug, 'bulk-count', address.collection, q],
    queryFn: ({ signal }) => countDocuments(address, q!, signal),
    enabled: q !== undefined && isAsked,
    staleTime: 0,
    gcTime: 0,
  })
}
