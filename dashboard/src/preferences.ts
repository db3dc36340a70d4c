import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { askApi } from './api.ts'
import type { KeptQueries } from './data/query/query-history.ts'

/** What an account has chosen for its pages, on whichever machine. */
export interface Preferences {
  /** Whether single letters do something where nothing is typed (WCAG 2.2, 2.1.4); they do unless it says no. */
  readonly hasLetterKeys?: boolean
  /** What was looked for, by `app/collection`. */
  readonly queries?: Readonly<Record<string, KeptQueries>>
}

const READ = {
  queryKey: ['preferences'],
  queryFn: ({ signal }: { readonly signal?: AbortSignal }) =>
    askApi<Preferences>('/account/preferences', { ...(signal && { signal }) }),
}

export function usePreferences() {
  return useQuery(READ)
}

/** Changes some of them, and leaves what another page has chosen meanwhile. */
export function useChangePreferences() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: Preferences) => {
      const preferences = { ...(await READ.queryFn({})), ...change }
      await askApi('/account/preferences', { method: 'PUT', json: preferences })
      return preferences
    },
    onSuccess: (preferences) => client.setQueryData(READ.queryKey, preferences),
  })
}
