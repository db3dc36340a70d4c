import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isUnreachable } from '../api.ts'
import { TEXTS } from '../texts.ts'
import styles from './banner.module.css'

/** Says above every page that what it shows may be old, for as long as the server doesn't answer. */
export function ServerAway() {
  const cache = useQueryClient().getQueryCache()
  const isServerAway = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => cache.getAll().some(isWaitingForServer),
  )
  return <div role="status">{isServerAway && <p className={styles.banner}>{TEXTS.failed.away}</p>}</div>
}

function isWaitingForServer({ state: { fetchStatus, fetchFailureReason } }: Query): boolean {
  return fetchStatus === 'paused' || (fetchStatus === 'fetching' && isUnreachable(fetchFailureReason))
}
