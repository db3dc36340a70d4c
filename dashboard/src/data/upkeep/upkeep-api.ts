import { ApiError, askApi } from '../../api.ts'
import { appPath, ofAppRead, type Read } from '../../apps-data.ts'
import type { CollectionAddress } from '../documents-api.ts'

/** A collection that was dropped or emptied, and can be had back. */
export interface BinEntry {
  readonly id: number
  readonly name: string
  readonly documents: number
  readonly reason: 'drop' | 'empty'
  /** Null for who may only look. */
  readonly by: string | null
  readonly droppedAt: string
  readonly restorableUntil: string
}

/** A collection that has a name, again or another one. */
export interface NamedCollection {
  readonly name: string
  readonly documents: number
}

export function binRead(slug: string): Read<BinEntry[]> {
  return ofAppRead(slug, '/bin')
}

export function renameCollection(address: CollectionAddress, name: string): Promise<NamedCollection> {
  return askApi(collectionPath(address, 'rename'), { method: 'POST', json: { name } })
}

/** @returns null where there was nothing to be taken out of it */
export function binCollection(
  address: CollectionAddress,
  reason: BinEntry['reason'],
): Promise<BinEntry | null> {
  return askApi(collectionPath(address, reason), { method: 'POST' })
}

/** @param as the name that it gets, where it isn't the one that it had */
export function restoreCollection(
  slug: string,
  { id }: Pick<BinEntry, 'id'>,
  as?: string,
): Promise<NamedCollection> {
  const json = as === undefined ? {} : { as }
  return askApi(`${binPath(slug, id)}/restore`, { method: 'POST', json })
}

/** Whether a restore failed because another collection has the name by now. */
export function isNameTaken(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'collection_exists'
}

export function removeFromBin(slug: string, { id }: Pick<BinEntry, 'id'>): Promise<void> {
  return askApi(binPath(slug, id), { method: 'DELETE' })
}

function collectionPath({ slug, collection }: CollectionAddress, act: string): string {
  return `${appPath(slug)}/collections/${encodeURIComponent(collection)}/${act}`
}

function binPath(slug: string, id: number): string {
  return `${appPath(slug)}/bin/${id}`
}
