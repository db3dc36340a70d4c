import type { RequestContext } from '../request/request-context.ts'

/** Of `/apps/{app}/collections/{collection}`. */
const COLLECTION_PARTS = 4

/**
 * The header that says where the document in an answer is read (RFC 9110, section 8.7), relative to the address that was
 * asked, as the link to the next page is. Without an id, and for one that a URL can't have as a part of its path
 * (RFC 3986, section 5.2.4), there is none.
 * @param id a text
 */
export function contentLocation(request: RequestContext, id: string | undefined): readonly string[] {
  if (id === undefined || id === '.' || id === '..') return []
  return ['Content-Location', `${base(request)}${encodeURIComponent(id)}`]
}

/** From the last slash of the address that was asked to what is before the `_id`. One slash may follow an address. */
function base({ path, collection }: RequestContext): string {
  const hasSlash = path.at(-1) === ''
  const isDocument = path.length > (hasSlash ? COLLECTION_PARTS + 1 : COLLECTION_PARTS)
  if (isDocument) return hasSlash ? '../' : ''
  return hasSlash ? '' : `${encodeURIComponent(collection)}/`
}
