import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { isSignedOut, type SessionStore } from './session.ts'

/** What is read of the server, and how old it may be. Whatever finds nobody signed in ends the session's page. */
export function createQueryClient(session: SessionStore): QueryClient {
  const onError = (error: Error): void => {
    if (isSignedOut(error)) session.noteEnd()
  }
  return new QueryClient({
    defaultOptions: {
      queries: { retry: (count, error) => isPassing(error) && count < 2, refetchOnWindowFocus: false },
    },
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
  })
}

/** Whether the next try may get what this one didn't. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503)
}
