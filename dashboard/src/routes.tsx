import type { ComponentType } from 'react'
import { analyticsRead, FIRST_RANGE } from './analytics/analytics-data.ts'
import { appSettingsRead } from './app-settings.ts'
import { appSizeRead } from './app-size.ts'
import { appRead, appsRead, ofAppRead, type Read } from './apps-data.ts'
import { Waiting } from './components/waiting.tsx'
import { loaded } from './loaded.tsx'
import { AppsPage } from './pages/apps.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { deployRead, deploysRead, siteRead } from './site/site-data.ts'
import { TEXTS } from './texts.ts'

/** What an address names; undefined where it names none. */
export interface PageParams {
  readonly slug: string
  readonly id: string
}

type Page = ComponentType<PageParams>

interface PageRoute {
  readonly path: string
  readonly Page: Page
  /** Loads what shows the page, where that comes in a file of its own. */
  readonly load?: () => Promise<unknown>
  /** What the page reads first. */
  readonly reads?: (params: PageParams) => readonly Read[]
}

/** Every page of who is signed in. */
export const PAGE_ROUTES: readonly PageRoute[] = [
  { path: '/apps', Page: AppsPage, reads: () => [appsRead()] },
  {
    path: '/apps/:slug',
    Page: OverviewPage,
    reads: ({ slug }) => [appRead(slug), appSizeRead(slug), ofAppRead(slug, '/keys')],
  },
  {
    path: '/apps/:slug/data',
    ...lazily(() => import('./pages/data.tsx')),
    reads: ({ slug }) => [appRead(slug), appSizeRead(slug)],
  },
  {
    path: '/apps/:slug/data/:collection',
    ...lazily(() => import('./pages/collection.tsx')),
    reads: ({ slug }) => [appRead(slug), appSizeRead(slug)],
  },
  {
    path: '/apps/:slug/data/:collection/import',
    ...lazily(() => import('./pages/import.tsx')),
    reads: ({ slug }) => [appRead(slug), appSizeRead(slug)],
  },
  {
    path: '/apps/:slug/data/:collection/indexes',
    ...lazily(() => import('./pages/indexes.tsx')),
    reads: ({ slug }) => [appRead(slug), appSizeRead(slug), ofAppRead(slug, '/queries')],
  },
  {
    path: '/apps/:slug/performance',
    ...lazily(() => import('./pages/performance.tsx')),
    reads: ({ slug }) => [appRead(slug), ofAppRead(slug, '/queries')],
  },
  {
    path: '/apps/:slug/keys',
    ...lazily(() => import('./pages/keys.tsx')),
    reads: ({ slug }) => [appRead(slug), ofAppRead(slug, '/keys')],
  },
  {
    path: '/apps/:slug/keys/new',
    ...lazily(() => import('./pages/new-key.tsx')),
    reads: ({ slug }) => [appRead(slug), appSettingsRead(slug)],
  },
  {
    path: '/apps/:slug/keys/:id',
    ...lazily(() => import('./pages/key.tsx')),
    reads: ({ slug }) => [appRead(slug), ofAppRead(slug, '/keys'), appSettingsRead(slug)],
  },
  {
    path: '/apps/:slug/analytics',
    ...lazily(() => import('./pages/analytics.tsx')),
    reads: ({ slug }) => [
      appRead(slug),
      analyticsRead({ slug, range: FIRST_RANGE, key: '', collection: '' }),
    ],
  },
  {
    path: '/apps/:slug/security',
    ...lazily(() => import('./pages/security.tsx')),
    reads: ({ slug }) => [appRead(slug), appSettingsRead(slug)],
  },
  {
    path: '/apps/:slug/sites',
    ...lazily(() => import('./pages/site.tsx')),
    reads: ({ slug }) => [appRead(slug), siteRead(slug), deploysRead(slug)],
  },
  {
    path: '/apps/:slug/sites/:id',
    ...lazily(() => import('./pages/version.tsx')),
    reads: ({ slug, id }) => [appRead(slug), siteRead(slug), deployRead(slug, id)],
  },
  { path: '/apps/:slug/activity', ...lazily(() => import('./pages/activity.tsx')) },
  { path: '/apps/:slug/settings', ...lazily(() => import('./pages/settings.tsx')) },
  { path: '/account', ...lazily(() => import('./pages/account.tsx')) },
  { path: '/server', ...lazily(() => import('./pages/server.tsx')) },
]

function lazily(load: () => Promise<{ default: Page }>): Pick<PageRoute, 'Page' | 'load'> {
  return { load, Page: loaded(load, () => <Waiting reading={TEXTS.reading} />) }
}
