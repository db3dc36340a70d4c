/** What is to be known of sites that are not whole; undefined where all are. @param slugs of their apps */
export function damagedSitesText(slugs: readonly string[]): string | undefined {
  if (slugs.length === 0) return undefined
  const sites = slugs.length === 1 ? 'the site of the app' : 'the sites of the apps'
  return `of ${sites} ${slugs.join(', ')} files are missing in the backup, for they were damaged or gone; deploy again`
}
