import { useQuery, useQueryClient } from '@tanstack/react-query'
import { askApi } from './api.ts'

/** An app as the account sees it. */
export interface App {
  readonly slug: string
  readonly role: 'owner' | 'editor' | 'viewer'
  /** The e-mail of its owner; null where it is the operator's. */
  readonly owner: string | null
  readonly createdAt: string
}

const APPS = ['apps'] as const

export function useApps() {
  return useQuery({ queryKey: APPS, queryFn: ({ signal }) => askApi<App[]>('/apps', { signal }) })
}

/** An app that was deleted, and can be restored. */
export interface DeletedApp {
  readonly slug: string
  readonly restorableUntil: string
}

export function useDeletedApps() {
  return useQuery({
    queryKey: [...APPS, { isDeleted: true }],
    queryFn: ({ signal }) => askApi<DeletedApp[]>('/deleted-apps', { signal }),
  })
}

/** One app, which shows at once what the list said of it. */
export function useApp(slug: string) {
  const client = useQueryClient()
  return useQuery({
    queryKey: [...APPS, slug],
    queryFn: ({ signal }) => askApi<App>(appPath(slug), { signal }),
    placeholderData: () => client.getQueryData<App[]>(APPS)?.find((app) => app.slug === slug),
  })
}

/** Reads something of an app. @param path behind that of the app, such as `/keys` */
export function useOfApp<Result>(slug: string, path: string) {
  return useQuery({
    queryKey: [...APPS, slug, path],
    queryFn: ({ signal }) => askApi<Result>(`${appPath(slug)}${path}`, { signal }),
  })
}

/** Has everything that is shown of apps read anew. */
export function useRefreshApps(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: APPS })
}

/** Under `/_/api` as well as on the pages. */
export function appPath(slug: string): string {
  return `/apps/${encodeURIComponent(slug)}`
}
