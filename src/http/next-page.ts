import type { QueryParameters } from './request-target.ts'

/** Longer headers break some clients and proxies, which have never asked for this one. */
const LINK_CHARACTERS = 8 * 1024
/** What makes the next page the same query; credentials are not among them, and what skips documents did so already. */
const KEPT = ['q', 'f', 's', 'l'] as const

export interface FullPage {
  readonly app: string
  readonly collection: string
  readonly parameters: QueryParameters
  /** The cursor behind which the next page begins. */
  readonly next: string | undefined
}

/** The header that leads from a full page to the next one (RFC 8288), where it isn't too long. */
export function nextPage({ app, collection, parameters, next }: FullPage): { headers?: readonly string[] } {
  if (next === undefined) return {}
  const kept = KEPT.flatMap((name) => {
    const value = parameters.values.get(name)
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  const path = `/apps/${encodeURIComponent(app)}/collections/${encodeURIComponent(collection)}`
  const link = `<${path}?${[...kept, `after=${next}`].join('&')}>; rel="next"`
  return link.length > LINK_CHARACTERS ? {} : { headers: ['Link', link] }
}
