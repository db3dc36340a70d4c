/**
 * The pages of an app, in the order in which they are listed; after `g`, the letter goes there. On a phone those that are
 * docked have a place in the bar below, and the others are behind one more.
 */
export const APP_PAGES = [
  { page: 'overview', path: '', letter: 'o', isDocked: true },
  { page: 'data', path: '/data', letter: 'd', isDocked: true },
  { page: 'performance', path: '/performance', letter: 'p', isDocked: false },
  { page: 'keys', path: '/keys', letter: 'k', isDocked: true },
  { page: 'analytics', path: '/analytics', letter: 'a', isDocked: true },
  { page: 'security', path: '/security', letter: 's', isDocked: false },
  { page: 'site', path: '/sites', letter: undefined, isDocked: false },
  { page: 'activity', path: '/activity', letter: undefined, isDocked: false },
  { page: 'settings', path: '/settings', letter: undefined, isDocked: false },
] as const

export type AppPageName = (typeof APP_PAGES)[number]['page']

/** The app whose page an address shows; undefined where it shows another. @param path such as `/apps/demo/keys` */
export function shownApp(path: string): string | undefined {
  const [, apps, slug] = path.split('/')
  return apps === 'apps' && slug ? decodeURIComponent(slug) : undefined
}
