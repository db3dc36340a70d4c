import { collectionAddress } from '../snippets.ts'
import type { CollectionAddress } from './documents-api.ts'
import { queryOf, type View } from './view-url.ts'

/** A command for a POSIX shell that reads the same documents from the API. */
export function curlOf(address: CollectionAddress, view: Pick<View, 'q' | 's' | 'f'>): string {
  return curlFor(address, queryOf(view))
}

/** The same for one document. @param id JSON text */
export function documentCurl(address: CollectionAddress, id: string): string {
  return curlFor(address, { q: `{"_id":${id}}`, fo: 'true' })
}

function curlFor(
  { slug, collection }: CollectionAddress,
  asked: Readonly<Record<string, string | undefined>>,
): string {
  const address = collectionAddress(location.origin, slug, collection)
  const given = Object.entries(asked).filter(([, text]) => text !== undefined)
  const parameters = given.map(([name, text]) => ` \\\n  --data-urlencode ${quoted(`${name}=${text}`)}`)
  return `curl -G -H 'X-Service-API-Key: YOUR_KEY' ${quoted(address)}${parameters.join('')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
