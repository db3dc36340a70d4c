import type { ReactNode } from 'react'
import { Snippet } from '../components/snippet.tsx'
import { collectionAddress, SNIPPETS } from '../snippets.ts'
import { APP_TEXTS } from '../texts/apps.ts'
import { DATA_TEXTS } from '../texts/data.ts'
import styles from './browser.module.css'
import { InBin } from './upkeep/in-bin.tsx'

interface FirstSaveProps {
  readonly slug: string
  /** Undefined where the app has none. */
  readonly collection: string | undefined
  /** What else makes one. */
  readonly children?: ReactNode
}

/** What to do where there are no documents. */
export function FirstSave({ slug, collection, children }: FirstSaveProps) {
  const [title, explained] =
    collection === undefined
      ? [DATA_TEXTS.none, DATA_TEXTS.noneExplained]
      : [DATA_TEXTS.empty, DATA_TEXTS.emptyExplained]
  const address = collectionAddress(location.origin, slug, collection ?? FIRST_COLLECTION)
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {collection !== undefined && <InBin slug={slug} collection={collection} />}
      <p>{explained}</p>
      <Snippet text={SNIPPETS.curl({ address, saves: true })} label={APP_TEXTS.connect.of('curl')} />
      {children}
    </div>
  )
}

/** The name in the example, where nobody has chosen one. */
const FIRST_COLLECTION = 'notes'
