import { Menu } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiError } from '../api.ts'
import { APP_PAGES, type AppPageName } from '../app-pages.ts'
import { type App, appPath, useApp } from '../apps-data.ts'
import { Icon } from '../icons.tsx'
import { APP_TEXTS } from '../texts/apps.ts'
import { TEXTS } from '../texts.ts'
import styles from './app-page.module.css'
import { Bar } from './bar.tsx'
import menuStyles from './menu.module.css'
import { ReadProblem } from './read-problem.tsx'
import { Value } from './value.tsx'
import { Waiting } from './waiting.tsx'

interface AppPageProps {
  readonly slug: string
  /** That of the column which is shown, or above what is. */
  readonly page: AppPageName
  /** Where it isn't that page itself. */
  readonly title?: ReactNode
  /** What stands below the app's pages, beside the page; on a phone it is left out. */
  readonly beside?: ReactNode
  /** Whether the page takes the window whole, and scrolls within itself. */
  readonly isWhole?: boolean
  readonly children: (app: App) => ReactNode
}

/** What every page of an app stands in: where one is above, the app's pages beside it or, on a phone, below. */
export function AppPage({ slug, page, title, beside, isWhole = false, children }: AppPageProps) {
  const { data: app, error, refetch } = useApp(slug)
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <>
      <title>{TEXTS.titleOf(`${slug} / ${APP_TEXTS[page]}`)}</title>
      <Bar path={<Crumbs slug={slug} page={page} title={title} />} />
      <div className={styles.columns}>
        {!isGone && <Pages slug={slug} page={page} beside={beside} />}
        <main className={isWhole ? styles.whole : styles.main}>
          {isGone && <Gone />}
          {!isGone && <ReadProblem error={error} onAgain={refetch} />}
          {app === undefined && error === null && <Waiting reading={APP_TEXTS.reading} />}
          {app !== undefined && !isGone && children(app)}
        </main>
      </div>
    </>
  )
}

function Crumbs({ slug, page, title }: Pick<AppPageProps, 'slug' | 'page' | 'title'>) {
  const { path } = APP_PAGES.find((each) => each.page === page)!
  return (
    <>
      <Link href={appPath(slug)}>
        <Value text={slug} />
      </Link>
      {' / '}
      {title === undefined ? (
        APP_TEXTS[page]
      ) : (
        <>
          <Link href={`${appPath(slug)}${path}`}>{APP_TEXTS[page]}</Link>
          {' / '}
          {title}
        </>
      )}
    </>
  )
}

function Pages({ slug, page: current, beside }: Pick<AppPageProps, 'slug' | 'page' | 'beside'>) {
  return (
    <nav className={styles.pages} aria-label={APP_TEXTS.pages}>
      {APP_PAGES.map(({ page, path, isDocked }) => (
        <Link
          key={page}
          href={`${appPath(slug)}${path}`}
          className={isDocked ? styles.page : `${styles.page} ${styles.apart}`}
          aria-current={page === current ? 'page' : undefined}
        >
          <Icon name={page} />
          {APP_TEXTS[page]}
        </Link>
      ))}
      <MorePages slug={slug} page={current} />
      {beside !== undefined && <div className={styles.beside}>{beside}</div>}
    </nav>
  )
}

/** On a phone, where the bar has no room for all. */
function MorePages({ slug, page: current }: Pick<AppPageProps, 'slug' | 'page'>) {
  const pages = APP_PAGES.filter(({ isDocked }) => !isDocked)
  const isCurrent = pages.some(({ page }) => page === current)
  return (
    <Menu.Root>
      <Menu.Trigger className={`${styles.page} ${styles.more}`} aria-current={isCurrent ? 'true' : undefined}>
        <Icon name="more" />
        {APP_TEXTS.more}
      </Menu.Trigger>
      <Menu.Portal render={<section aria-label={APP_TEXTS.morePages} />}>
        <Menu.Positioner sideOffset={4} align="end" className={menuStyles.positioner}>
          <Menu.Popup className={menuStyles.popup}>
            {pages.map(({ page, path }) => (
              <Menu.LinkItem
                key={page}
                className={menuStyles.item}
                closeOnClick
                render={<Link href={`${appPath(slug)}${path}`} />}
                aria-current={page === current ? 'page' : undefined}
              >
                {APP_TEXTS[page]}
              </Menu.LinkItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Gone() {
  return (
    <>
      <h1>{APP_TEXTS.gone.title}</h1>
      <p>{APP_TEXTS.gone.explained}</p>
      <p>
        <Link href="/apps">{TEXTS.toApps}</Link>
      </p>
    </>
  )
}
