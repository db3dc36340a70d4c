import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { matchRoute, type Parser, useRouter } from 'wouter'
import { PAGE_ROUTES, type PageParams } from './routes.tsx'

/** Has the page of every link that is pointed at, touched or focused begin to load, with what it reads first. */
export function usePrefetch(client: QueryClient): void {
  const { base, parser } = useRouter()
  useEffect(() => {
    const begin = ({ target }: Event): void => {
      const link = target instanceof Element && target.closest('a')
      if (!link || link.origin !== location.origin || !link.pathname.startsWith(`${base}/`)) return
      prefetch(client, { parser, path: link.pathname.slice(base.length) })
    }
    // Also of a finger, before it is lifted.
    document.addEventListener('pointerover', begin)
    document.addEventListener('focusin', begin)
    return () => {
      document.removeEventListener('pointerover', begin)
      document.removeEventListener('focusin', begin)
    }
  }, [client, base, parser])
}

function prefetch(
  client: QueryClient,
  { parser, path }: { readonly parser: Parser; readonly path: string },
): void {
  for (const { path: pattern, load, reads } of PAGE_ROUTES) {
    const [isMatch, params] = matchRoute(parser, pattern, path)
    if (!isMatch) continue
    // What fails here fails again where it is shown, and is told there.
    load?.().catch(() => undefined)
    for (const read of reads?.(params as unknown as PageParams) ?? []) void client.prefetchQuery(read)
    return
  }
}
