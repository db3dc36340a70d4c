import { QueryCache, QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, askApi } from './api.ts'

export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
}

export interface Session {
  readonly account: Account
  /** Whether the server knows it no more, while its page is still open. */
  readonly hasEnded?: boolean
}

/** What signs somebody in. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string
}

const KEY = ['session'] as const

/** Nobody is signed in where it is null. */
const SESSION = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }): Promise<Session | null> =>
    askApi<Session>('/session', { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.isSignedOut) return null
      throw error
    }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whoever made a request may be signed out by then: the page says so in a dialog, and keeps what is on it. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: { retry: (count, error) => isPassing(error) && count < 2, refetchOnWindowFocus: false },
    },
    queryCache: new QueryCache({
      onError: (error) => {
        if (!(error instanceof ApiError && error.isSignedOut)) return
        client.setQueryData<Session | null>(KEY, (session) => session && { ...session, hasEnded: true })
      },
    }),
  })
  return client
}

/** Whether the next try may get what this one didn't. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 503)
}

export function useSession() {
  return useQuery(SESSION)
}

/** What begins and ends the session of this browser. Each rejects with an `ApiError`. */
export function useSessionChanges() {
  const client = useQueryClient()
  const begin = async (path: string, json: unknown): Promise<void> => {
    const begun = await askApi<Session>(path, { method: 'POST', json })
    const before = client.getQueryData<Session | null>(KEY)
    client.setQueryData<Session | null>(KEY, begun)
    // Another account must not see for a moment what this one saw.
    if (before?.account.id === begun.account.id) await client.invalidateQueries({ predicate: isNoSession })
    else await client.resetQueries({ predicate: isNoSession })
  }
  return {
    signIn: (credentials: Credentials) => begin('/session', credentials),
    createAccount: (given: { secret: string; email: string; name: string; password: string }) =>
      begin('/account', given),
    signOut: async () => {
      await askApi('/session', { method: 'DELETE' }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.isSignedOut)) throw error
      })
      client.setQueryData<Session | null>(KEY, null)
      client.removeQueries({ predicate: isNoSession })
    },
  }
}

function isNoSession({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean {
  return queryKey[0] !== KEY[0]
}
