import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { askApi } from './api.ts'
import { appPath, type Read } from './apps-data.ts'
import type { PERFORMANCE_TEXTS } from './texts/performance.ts'

/** How often it is asked how far an index is, while the tab is seen. */
const PROGRESS_MS = 1000

/** An index as the server tells it. */
export interface AppIndex {
  readonly collection: string
  /** Its name, which says them. */
  readonly fields: string
  readonly unique: boolean
  readonly automatic: boolean
  readonly state: 'building' | 'ready' | 'failed'
  readonly documents: number
  readonly builtDocuments: number
  readonly bytes: number
  readonly createdAt: string
  /** Why a unique one failed: how many documents are in the way, and some of them. */
  readonly problem?: {
    readonly documents: number
    readonly examples: readonly { readonly value: string; readonly ids: readonly string[] }[]
  }
  /** By reads. */
  readonly uses: number
  readonly lastUsed: string | null
  readonly unusedSince: string | null
  readonly reason?: { readonly query: string; readonly why: string }
  /** Documents that reads did not have to look at for an automatic one. */
  readonly spared?: number
}

export interface IndexesOf {
  readonly slug: string
  /** Undefined for those of all. */
  readonly collection?: string | undefined
}

export function indexesPath({ slug, collection }: IndexesOf, name?: string): string {
  const of = name === undefined ? '' : `/${encodeURIComponent(name)}`
  const search = collection === undefined ? '' : `?${new URLSearchParams({ collection })}`
  return `${appPath(slug)}/indexes${of}${search}`
}

/** The page on which they are made and dropped. */
export function indexesPage({
  slug,
  collection,
}: {
  readonly slug: string
  readonly collection: string
}): string {
  return `${appPath(slug)}/data/${encodeURIComponent(collection)}/indexes`
}

function indexesRead(of: IndexesOf): Read<readonly AppIndex[]> {
  return {
    queryKey: ['apps', of.slug, 'indexes', of.collection ?? ''],
    queryFn: ({ signal }) => askApi(indexesPath(of), { signal }),
  }
}

/** Asks again and again while one is being made. @param isWanted whether anybody looks at it yet */
export function useIndexes(of: IndexesOf, isWanted = true) {
  return useQuery({
    ...indexesRead(of),
    enabled: isWanted,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'building') === true && PROGRESS_MS,
  })
}

/** Begins to make an index; what is told of indexes is read anew. */
export function useMakeIndex(of: IndexesOf) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (index: { readonly fields: string; readonly unique?: boolean }) =>
      askApi(indexesPath(of), { method: 'POST', json: index }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['apps', of.slug, 'indexes'] }),
  })
}

/** What the reads of one shape have cost. */
export interface AppQuery {
  readonly collection: string
  /** Fields, kinds of conditions and sort; never a value. */
  readonly query: string
  readonly reads: number
  readonly slow: number
  readonly totalMs: number
  readonly meanMs: number
  readonly maxMs: number
  readonly examined: number
  readonly returned: number
  readonly lastSeen: string
  readonly plan: { readonly kind: 'id' | 'count' | 'index' | 'scan'; readonly index?: string } | null
  readonly advice: {
    readonly index: string | null
    readonly state:
      | AppIndex['state']
      | 'worth'
      | 'few-documents'
      | 'few-reads'
      | 'little-benefit'
      | 'no-candidate'
    readonly missed: number
    readonly needed: number
    readonly decision: {
      readonly what: keyof typeof PERFORMANCE_TEXTS.decided
      readonly at: string
      readonly why: string
    } | null
  }
}

export interface AppQueries {
  readonly since: string | null
  readonly slowMs: number
  readonly queries: readonly AppQuery[]
}
