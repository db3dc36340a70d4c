import type { AppIndex } from '../indexes-data.ts'
import { DATA_TEXTS } from '../texts/data.ts'
import styles from './index-progress.module.css'

/** How far an index is that is being made. @param index undefined while nothing is known of it yet */
export function IndexProgress({ index }: { readonly index: AppIndex | undefined }) {
  const { builtDocuments = 0, documents = 0, state = 'building' } = index ?? {}
  const share = documents === 0 ? 0 : Math.floor((100 * builtDocuments) / documents)
  if (state !== 'building') return <span role="status">{DATA_TEXTS.madeIndex[state]}</span>
  return (
    <span className={styles.progress} role="status">
      <progress aria-label={DATA_TEXTS.makingIndexOf} max={100} value={share} />
      {DATA_TEXTS.makingIndex(share)}
    </span>
  )
}
