import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isUnreachable } from './api.ts'
import { isSignedOut, type SessionStore } from './session.ts'

/** How long a page shows what a link to it had read, before it reads that anew. */
const FRESH_MS = 2000
/** A server on this machine answers a browser without a network, too; and an act fails at once, and is not done later. */
const NETWORK = 'offlineFirst'

/** What is read of the server, and how old it may be. Whatever finds nobody signed in ends the session's page. */
export function createQueryClient(session: SessionStore): QueryClient {
  const onError = (error: Error): void => {
    if (isSignedOut(error)) session.noteEnd()
  }
  // So that a form knows that it is under way before its button can be pressed once more.
  notifyManager.setScheduler(queueMicrotask)
  return new QueryClient({
    defaultOptions: {
      mutations: { networkMode: NETWORK },
      queries: {
        networkMode: NETWORK,
        retry: isToBeRetried,
        refetchOnWindowFocus: false,
        refetchOnReconnect: 'always',
        staleTime: FRESH_MS,
      },
    },
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
  })
}

/** Until the server is there again; where it is busy, twice. */
function isToBeRetried(count: number, error: unknown): boolean {
  return isUnreachable(error) || (error instanceof ApiError && error.status === 503 && count < 2)
}
