import { useQuery } from '@tanstack/react-query'
import { ofAppRead, type Read } from './apps-data.ts'

/** How much an app holds, as the server tells it. */
export interface AppSize {
  /** Of its file that documents and indexes take. */
  readonly bytes: number
  /** Of its file that nothing takes. */
  readonly freeBytes: number
  readonly collections: readonly CollectionSize[]
}

export interface CollectionSize {
  readonly name: string
  readonly documents: number
  readonly approximateBytes: number
  readonly indexes: number
  readonly automaticIndexes: number
}

export function appSizeRead(slug: string): Read<AppSize> {
  return ofAppRead(slug, '/size')
}

/** @param isWanted whether anybody looks at it yet */
export function useAppSize(slug: string, isWanted = true) {
  return useQuery({ ...appSizeRead(slug), enabled: isWanted })
}

export function documentsOf({ collections }: AppSize): number {
  return collections.reduce((sum, { documents }) => sum + documents, 0)
}
