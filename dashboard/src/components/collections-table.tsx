import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CollectionSize } from '../app-size.ts'
import { appPath } from '../apps-data.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { UPKEEP_TEXTS } from '../texts/upkeep.ts'
import { Table } from './table.tsx'
import { Value } from './value.tsx'

export interface CollectionsProps {
  readonly slug: string
  readonly collections: readonly CollectionSize[]
  /** What can be done to one, where something can. */
  readonly acts?: ((collection: CollectionSize) => ReactNode) | undefined
}

/** What each collection holds; its name leads to its documents. */
export function CollectionsTable({ slug, collections, acts }: CollectionsProps) {
  const { title, columns, about, indexes } = APP_TEXTS.collections
  const named: Readonly<Record<string, string>> =
    acts === undefined ? columns : { ...columns, acts: UPKEEP_TEXTS.acts }
  return (
    <Table
      label={title}
      columns={named}
      plain={['acts']}
      rows={collections}
      keyOf={({ name }) => name}
      cells={(collection) => ({
        name: (
          <Link href={`${appPath(slug)}/data/${encodeURIComponent(collection.name)}`}>
            <Value text={collection.name} />
          </Link>
        ),
        documents: collection.documents.toLocaleString(),
        size: about(collection.approximateBytes),
        indexes: indexes(collection.indexes, collection.automaticIndexes),
        acts: acts?.(collection),
      })}
    />
  )
}
