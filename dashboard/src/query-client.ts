import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { isSignedOut, type SessionStore } from './session.ts'

/** What is read of the server, and how old it may be. A read that finds nobody signed in ends the session's page. */
export function createQueryClient(session: SessionStore): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: (count, error) => isPassing(error) && count < 2, refetchOnWindowFocus: false },
    },
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSignedOut(error)) session.noteEnd()
      },
    }),
  })
}

/** Whether the next try may get what this one didn't. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503)
}
