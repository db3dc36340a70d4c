import { appPath } from '../../apps-data.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import type { CollectionAddress } from '../documents-api.ts'

export function importPath({ slug, collection }: CollectionAddress): string {
  return `${appPath(slug)}/data/${encodeURIComponent(collection)}/import`
}

/** Leads to the page on which documents come from a file. */
export function ImportLink(address: CollectionAddress) {
  return <ButtonLink href={importPath(address)}>{IMPORT_TEXTS.title}</ButtonLink>
}
