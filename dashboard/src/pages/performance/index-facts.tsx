import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import type { AppIndex } from '../../indexes-data.ts'
import { INDEX_TEXTS as TEXTS } from '../../texts/performance.ts'
import { localDate } from '../../texts.ts'
import styles from './performance.module.css'

interface OfIndex {
  readonly index: AppIndex
}

/** What an automatic index was made for; nothing of any other, and where nobody knows. */
export function IndexReason({ index: { reason } }: OfIndex) {
  if (reason === undefined) return null
  return (
    <span className={styles.reason}>
      {TEXTS.reasonFor}{' '}
      <code>
        <Value text={reason.query} />
      </code>
      : <Value text={reason.why} />
    </span>
  )
}

/** How often reads used an index, and when last. */
export function IndexUses({ index: { uses, lastUsed, unusedSince } }: OfIndex) {
  if (unusedSince !== null)
    return <span className={styles.warn}>{TEXTS.unusedSince(localDate(unusedSince))}</span>
  if (uses === 0) return TEXTS.neverUsed
  return (
    <>
      {TEXTS.uses(uses)}, {TEXTS.usedLast} <Time at={lastUsed} />
    </>
  )
}
