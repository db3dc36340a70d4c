import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { askApi } from '../api.ts'
import { useSession } from '../session.ts'
import { byteCount, counted, TEXTS } from '../texts.ts'
import styles from './banner.module.css'
import { Value } from './value.tsx'

/** How near the server's disk is to being full, as an operator is told. */
export type DiskLevel = 'enough' | 'low' | 'critical'

interface ToldServer {
  readonly disk?: { readonly level: DiskLevel; readonly freeBytes: number; readonly diskBytes: number }
  /** What else is wrong with the server, in its words. */
  readonly alerts?: readonly string[]
}

const KEY = ['session'] as const
/** It is asked again when another page is opened, and by no clock, which would keep the session from ending. */
const FRESH_MS = 60_000

/** Says to operators above every page what is wrong with the server, such as a disk that is nearly full. */
export function ServerWarnings() {
  const [path] = useLocation()
  const client = useQueryClient()
  const isOperator = useSession().account?.isOperator ?? false
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<ToldServer>('/session', { signal }),
    enabled: isOperator,
    staleTime: FRESH_MS,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says when, and nothing else.
  useEffect(() => {
    void client.refetchQueries({ queryKey: KEY, stale: true }, { cancelRefetch: false })
  }, [client, path])
  const disk = data?.disk
  const isTold = isOperator && disk !== undefined && disk.level !== 'enough'
  const [alert, ...others] = isOperator ? (data?.alerts ?? []) : []
  return (
    <div role="status">
      {isTold && (
        <p className={disk.level === 'critical' ? `${styles.banner} ${styles.danger}` : styles.banner}>
          {TEXTS.disk[disk.level](byteCount(disk.freeBytes), byteCount(disk.diskBytes))}{' '}
          <Link href="/server">{TEXTS.disk.link}</Link>
        </p>
      )}
      {alert !== undefined && (
        <p className={styles.banner}>
          {TEXTS.alerts.told} <Value text={alert} />
          {others.length > 0 && ` ${TEXTS.alerts.more(counted(others.length, 'alert'))}`}{' '}
          <Link href="/server">{TEXTS.alerts.link}</Link>
        </p>
      )}
    </div>
  )
}
