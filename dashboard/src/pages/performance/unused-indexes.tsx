import { useIndexes } from '../../indexes-data.ts'
import { PERFORMANCE_TEXTS } from '../../texts/performance.ts'
import { byteCount, localDate } from '../../texts.ts'
import { IndexLink } from './automatic-indexes.tsx'
import styles from './performance.module.css'

const { unused: TEXTS } = PERFORMANCE_TEXTS

/** What only costs; nothing where there is none. What can't be read is told with the automatic ones. */
export function UnusedIndexes({ slug }: { readonly slug: string }) {
  const { data: indexes = [] } = useIndexes({ slug })
  const unused = indexes.flatMap((index) =>
    index.unusedSince === null ? [] : [{ index, at: index.unusedSince }],
  )
  if (unused.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="unused">
      <h2 id="unused">{TEXTS.title}</h2>
      <p className={styles.dim}>{TEXTS.explained}</p>
      <ul className={styles.list}>
        {unused.map(({ index, at }) => (
          <li key={`${index.collection}\0${index.fields}`}>
            <IndexLink slug={slug} index={index} />, {byteCount(index.bytes)}, {TEXTS.since(localDate(at))}
          </li>
        ))}
      </ul>
    </section>
  )
}
