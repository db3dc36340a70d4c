import { Link } from 'wouter'
import { useAppSize } from '../app-size.ts'
import { appPath } from '../apps-data.ts'
import { Value } from '../components/value.tsx'
import { DATA_TEXTS } from '../texts/data.ts'
import styles from './collection-links.module.css'

interface CollectionLinksProps {
  readonly slug: string
  readonly current: string
}

/** All collections of an app beside the one that is shown. */
export function CollectionLinks({ slug, current }: CollectionLinksProps) {
  const { data } = useAppSize(slug)
  return (
    <>
      <h2 className={styles.title}>{DATA_TEXTS.collections}</h2>
      <ul>
        {data?.collections.map(({ name, documents }) => (
          <li key={name}>
            <Link
              href={`${appPath(slug)}/data/${encodeURIComponent(name)}`}
              className={styles.link}
              aria-current={name === current ? 'page' : undefined}
            >
              <Value text={name} className={styles.name} />
              <span className={styles.count}>{documents.toLocaleString()}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
