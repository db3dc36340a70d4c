import { useQueryClient } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Value } from '../../components/value.tsx'
import type { CollectionAddress } from '../../data/documents-api.ts'
import { type AppIndex, type AppQuery, indexesPath } from '../../indexes-data.ts'
import { INDEX_TEXTS } from '../../texts/performance.ts'

const { drop: TEXTS } = INDEX_TEXTS

interface DropIndexProps extends CollectionAddress {
  readonly index: AppIndex
  /** Of the app; undefined while they are not known. */
  readonly queries: readonly AppQuery[] | undefined
  readonly onClose: () => void
}

/** Drops an index, once it was said what takes longer then. */
export function DropIndex({ slug, collection, index, queries, onClose }: DropIndexProps) {
  const client = useQueryClient()
  const { fields, unique, automatic } = index
  const words = [
    TEXTS.explained(fields),
    ...(unique ? [TEXTS.unique] : []),
    ...(automatic ? [TEXTS.automatic] : []),
  ]
  return (
    <ActDialog
      title={TEXTS.title}
      explained={words.join(' ')}
      button={TEXTS.button}
      act={() => askApi(indexesPath({ slug, collection }, fields), { method: 'DELETE' })}
      onDone={() => {
        onClose()
        return client.invalidateQueries({ queryKey: ['apps', slug] })
      }}
      onClose={onClose}
    >
      <Slower collection={collection} index={index} queries={queries} />
    </ActDialog>
  )
}

/** The queries that were read by an index last. */
function Slower({ collection, index: { fields }, queries }: Omit<DropIndexProps, 'slug' | 'onClose'>) {
  const slower = queries?.filter((query) => query.collection === collection && query.plan?.index === fields)
  if (slower === undefined) return null
  if (slower.length === 0) return <p>{TEXTS.noneSlower}</p>
  return (
    <div>
      <p>{TEXTS.slower}</p>
      <ul>
        {slower.map(({ query }) => (
          <li key={query}>
            <code>
              <Value text={query} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}
