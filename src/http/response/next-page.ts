import { FIND } from '../request/parameters.ts'
import type { QueryParameters } from '../request/request-target.ts'

/** Longer headers break some clients and proxies, which have never asked for this one. */
const LINK_CHARACTERS = 8 * 1024
/** Parameters of a list that stand in the link to its next page; not among them are credentials. */
export const KEPT_PARAMETERS: readonly string[] = (Object.keys(FIND) as (keyof typeof FIND)[]).filter(
  (name) => FIND[name].inLink,
)

/**
 * The header that leads from a full page to the next one (RFC 8288), where it isn't too long. It is a reference of the
 * query alone, which a client resolves against the address that it asked: whatever prefix a proxy has put before that.
 * @param next the cursor behind which the next page begins
 */
export function nextPage(
  { values }: QueryParameters,
  next: string | undefined,
  { names = KEPT_PARAMETERS, mostCharacters = LINK_CHARACTERS } = {},
): readonly string[] {
  if (next === undefined) return []
  const kept = names.flatMap((name) => {
    const value = values.get(name)
    // An empty one is as if absent.
    return value ? [`${name}=${encodeURIComponent(value)}`] : []
  })
  const link = `<?${[...kept, `after=${next}`].join('&')}>; rel="next"`
  return link.length > mostCharacters ? [] : ['Link', link]
}
