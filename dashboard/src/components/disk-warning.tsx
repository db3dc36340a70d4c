import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { askApi } from '../api.ts'
import { useSession } from '../session.ts'
import { byteCount, TEXTS } from '../texts.ts'
import styles from './banner.module.css'

/** How near the server's disk is to being full, as an operator is told. */
export type DiskLevel = 'enough' | 'low' | 'critical'

interface ToldDisk {
  readonly disk?: { readonly level: DiskLevel; readonly freeBytes: number; readonly diskBytes: number }
}

const KEY = ['session'] as const
/** It is asked again when another page is opened, and by no clock, which would keep the session from ending. */
const FRESH_MS = 60_000

/** Says to operators above every page that the disk is nearly full, before nothing can be written. */
export function DiskWarning() {
  const [path] = useLocation()
  const client = useQueryClient()
  const isOperator = useSession().account?.isOperator ?? false
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<ToldDisk>('/session', { signal }),
    enabled: isOperator,
    staleTime: FRESH_MS,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says when, and nothing else.
  useEffect(() => {
    void client.refetchQueries({ queryKey: KEY, stale: true }, { cancelRefetch: false })
  }, [client, path])
  const disk = data?.disk
  const isTold = isOperator && disk !== undefined && disk.level !== 'enough'
  return (
    <div role="status">
      {isTold && (
        <p className={disk.level === 'critical' ? `${styles.banner} ${styles.danger}` : styles.banner}>
          {TEXTS.disk[disk.level](byteCount(disk.freeBytes), byteCount(disk.diskBytes))}{' '}
          <Link href="/server">{TEXTS.disk.link}</Link>
        </p>
      )}
    </div>
  )
}
