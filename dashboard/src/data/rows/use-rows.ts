import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { isSignedOut, useSession, useSessionStore } from '../../session.ts'
import { askDocuments, type CollectionAddress, documentsPath } from '../documents-api.ts'
import { queryOf, type View } from '../view-url.ts'
import { RowSource } from './row-source.ts'

/** The rows of what a view asks for; those of another query are another source. */
export function useRowSource(address: CollectionAddress, asked: Pick<View, 'q' | 's' | 'f'>): RowSource {
  const path = documentsPath(address)
  const key = JSON.stringify([path, asked.q, asked.s, asked.f])
  const [current, setCurrent] = useState(() => ({
    key,
    source: new RowSource({ path, query: queryOf(asked) }),
  }))
  let { source } = current
  if (current.key !== key) {
    source = new RowSource({ path, query: queryOf(asked), names: source.fieldNames })
    setCurrent({ key, source })
  }
  useEffect(() => {
    source.open()
    return () => source.close()
  }, [source])
  return source
}

/** Has it said that the session has ended where rows can't be read for that, and reads on once somebody has signed in. */
export function useRowsSession(source: RowSource): void {
  const session = useSessionStore()
  const { hasEnded = false } = useSession()
  const isRefused = isSignedOut(source.error)
  useEffect(() => {
    if (isRefused) session.noteEnd()
  }, [session, isRefused])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a sign-in goes on, and no error by itself.
  useEffect(() => {
    if (!hasEnded && isRefused) source.again()
  }, [hasEnded])
}

/** Draws anew whatever changes with the rows. */
export function useRowsVersion(source: RowSource): number {
  return useSyncExternalStore(source.subscribe, source.currentVersion)
}

/** How many documents match, counted apart from the rows; the server stops when nobody waits any more. */
export function useCount(source: RowSource, address: CollectionAddress, q: string) {
  const path = documentsPath(address)
  const count = useQuery({
    queryKey: ['apps', address.slug, 'count', address.collection, q],
    queryFn: async ({ signal }) => {
      const parameters = { q: q.trim() || undefined, c: 'true' }
      return Number((await askDocuments(path, { parameters, signal })).text)
    },
  })
  const { data, dataUpdatedAt, refetch } = count
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same number, counted again, is news, too.
  useEffect(() => {
    if (data !== undefined) source.setTotal(data)
  }, [source, data, dataUpdatedAt])
  const { isOverrun } = source
  useEffect(() => {
    if (isOverrun) void refetch()
  }, [isOverrun, refetch])
  return count
}
