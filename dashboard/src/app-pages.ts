/** The pages of an app, in the order in which they are listed; after `g`, the letter goes there. */
export const APP_PAGES = [
  { page: 'overview', path: '', letter: 'o' },
  { page: 'data', path: '/data', letter: 'd' },
  { page: 'keys', path: '/keys', letter: 'k' },
  { page: 'activity', path: '/activity', letter: undefined },
  { page: 'settings', path: '/settings', letter: undefined },
] as const

export type AppPageName = (typeof APP_PAGES)[number]['page']

/** The app whose page an address shows; undefined where it shows another. @param path such as `/apps/demo/keys` */
export function shownApp(path: string): string | undefined {
  const [, apps, slug] = path.split('/')
  return apps === 'apps' && slug ? decodeURIComponent(slug) : undefined
}
