/**
 * Takes the secret of a link out of the address bar, and out of the entry in the history, before anything else is done.
 * It stays in memory alone.
 * @returns nothing where there is none
 */
export function takeLinkSecret({ location, history }: Window): string {
  const secret = location.hash.slice(1)
  if (secret !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return secret
}
