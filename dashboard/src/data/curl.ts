import { collectionAddress } from '../snippets.ts'
import type { CollectionAddress } from './documents-api.ts'
import { queryOf, type View } from './view-url.ts'

/** A command for a POSIX shell that reads the same documents from the API. */
export function curlOf({ slug, collection }: CollectionAddress, view: Pick<View, 'q' | 's' | 'f'>): string {
  const address = collectionAddress(location.origin, slug, collection)
  const given = Object.entries(queryOf(view)).filter(([, text]) => text !== undefined)
  const parameters = given.map(([name, text]) => ` \\\n  --data-urlencode ${quoted(`${name}=${text}`)}`)
  return `curl -G -H 'X-Service-API-Key: YOUR_KEY' ${quoted(address)}${parameters.join('')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
