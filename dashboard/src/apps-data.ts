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

/** An app of the list, with what was asked of it lately. */
export interface ListedApp extends App {
  /** Requests of the last 24 hours. */
  readonly requestsToday: number
  /** Null where there was none. */
  readonly lastRequestAt: string | null
}

const APPS = ['apps'] as const

/** How something is read, for a page that shows it or will. */
export interface Read<Result = unknown> {
  readonly queryKey: readonly string[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Result>
}

export function appsRead(): Read<ListedApp[]> {
  return { queryKey: APPS, queryFn: ({ signal }) => askApi('/apps', { signal }) }
}

export function useApps() {
  return useQuery(appsRead())
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

export function appRead(slug: string): Read<App> {
  return { queryKey: [...APPS, slug], queryFn: ({ signal }) => askApi(appPath(slug), { signal }) }
}

/** One app, which shows at once what the list said of it. */
export function useApp(slug: string) {
  const client = useQueryClient()
  return useQuery({
    ...appRead(slug),
    placeholderData: () => client.getQueryData<App[]>(APPS)?.find((app) => app.slug === slug),
  })
}

/** @param path behind that of the app, such as `/keys` */
export function ofAppRead<Result>(slug: string, path: string): Read<Result> {
  return {
    queryKey: [...APPS, slug, path],
    queryFn: ({ signal }) => askApi(`${appPath(slug)}${path}`, { signal }),
  }
}

/** Reads something of an app. */
export function useOfApp<Result>(slug: string, path: string) {
  return useQuery(ofAppRead<Result>(slug, path))
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
