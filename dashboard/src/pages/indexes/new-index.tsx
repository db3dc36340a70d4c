import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { askDocuments, type CollectionAddress, documentsPath } from '../../data/documents-api.ts'
import { OrderedFields } from '../../data/query/ordered-fields.tsx'
import { formatSortText, type SortEntry } from '../../data/query/sort-text.ts'
import { parseRows } from '../../data/rows/preview-row.ts'
import { useMakeIndex } from '../../indexes-data.ts'
import { INDEX_TEXTS } from '../../texts/performance.ts'
import styles from './indexes.module.css'

const { make: TEXTS } = INDEX_TEXTS
/** Documents whose fields are offered. */
const LOOKED_AT = '100'

/** Makes an index over fields in their order. */
export function NewIndex({ slug, collection }: CollectionAddress) {
  const id = useId()
  const [entries, setEntries] = useState<readonly SortEntry[]>([])
  const [isUnique, setIsUnique] = useState(false)
  const { data: names = [] } = useFieldNames({ slug, collection })
  const make = useMakeIndex({ slug, collection })
  const create = () =>
    make.mutate(
      { fields: formatSortText(entries), unique: isUnique },
      {
        onSuccess: () => {
          setEntries([])
          setIsUnique(false)
        },
      },
    )
  return (
    <section className={styles.make} aria-labelledby={id}>
      <h2 id={id}>{TEXTS.title}</h2>
      <p className={styles.dim}>{TEXTS.explained}</p>
      <h3>{TEXTS.fields}</h3>
      {entries.length === 0 && <p className={styles.dim}>{TEXTS.noFields}</p>}
      <OrderedFields entries={entries} onChange={setEntries} label={TEXTS.field} names={names} />
      <Choice
        type="checkbox"
        name="unique"
        label={TEXTS.unique}
        checked={isUnique}
        onChange={({ currentTarget: { checked } }) => setIsUnique(checked)}
      />
      <ReadProblem error={make.error} />
      <Button
        look="main"
        className={styles.button}
        isBusy={make.isPending}
        disabled={entries.length === 0}
        onClick={() => !make.isPending && create()}
      >
        {TEXTS.button}
      </Button>
    </section>
  )
}

/** Of the first documents, in the order of their first sight. */
function useFieldNames(address: CollectionAddress) {
  return useQuery({
    queryKey: ['apps', address.slug, 'field-names', address.collection],
    queryFn: async ({ signal }) => {
      const parameters = { l: LOOKED_AT, preview: 'true' }
      const { text } = await askDocuments(documentsPath(address), { parameters, signal })
      const names = parseRows(text).flatMap(({ fields }) => [...fields.keys()])
      return [...new Set(names)].filter((name) => name !== '_id')
    },
  })
}
