import { Link } from 'wouter'
import type { CollectionSize } from '../app-size.ts'
import { appPath } from '../apps-data.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { Table } from './table.tsx'
import { Value } from './value.tsx'

export interface CollectionsProps {
  readonly slug: string
  readonly collections: readonly CollectionSize[]
}

/** What each collection holds; its name leads to its documents. */
export function CollectionsTable({ slug, collections }: CollectionsProps) {
  const { title, columns, about, indexes } = APP_TEXTS.collections
  return (
    <Table
      label={title}
      columns={columns}
      rows={collections}
      keyOf={({ name }) => name}
      cells={({ name, documents, approximateBytes, indexes: all, automaticIndexes }) => ({
        name: (
          <Link href={`${appPath(slug)}/data/${encodeURIComponent(name)}`}>
            <Value text={name} />
          </Link>
        ),
        documents: documents.toLocaleString(),
        size: about(approximateBytes),
        indexes: indexes(all, automaticIndexes),
      })}
    />
  )
}
