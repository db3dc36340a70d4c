import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countDocuments } from './bulk-api.ts'
import { type BulkTarget, targetQuery } from './bulk-target.ts'
import type { CollectionAddress } from './documents-api.ts'
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

/** What many documents an act is about, and how many those are. */
export function useBulkTarget({ address, q, ids }: Omit<BulkParts, 'names'>) {
  const [kind, setKind] = useState<TargetKind>(ids.length > 0 ? 'chosen' : 'matching')
  const matching = useQuery({
    queryKey: ['apps', address.slug, 'bulk-count', address.collection, q],
    queryFn: ({ signal }) => countDocuments(address, targetQuery({ kind: 'matching', q })!, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const target: BulkTarget = kind === 'chosen' ? { kind, ids } : { kind, q }
  return {
    kind,
    setKind,
    matching,
    query: targetQuery(target),
    count: kind === 'chosen' ? ids.length : matching.data,
  }
}
