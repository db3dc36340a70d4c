import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { appPath } from '../../apps-data.ts'
import { UPKEEP_TEXTS } from '../../texts/upkeep.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { binRead } from './upkeep-api.ts'

const { inBin: texts } = UPKEEP_TEXTS

/** That the bin has documents of a collection of this name; nothing where it has none. */
export function InBin({ slug, collection }: CollectionAddress) {
  const { data: entries = [] } = useQuery(binRead(slug))
  const entry = entries.find(({ name }) => name === collection)
  if (entry === undefined) return null
  return (
    <p>
      {texts.had(entry.reason, entry.documents)} <Link href={`${appPath(slug)}/data`}>{texts.link}</Link>
    </p>
  )
}
