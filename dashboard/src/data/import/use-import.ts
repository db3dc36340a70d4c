import { useQueryClient } from '@tanstack/react-query'
import { useSending } from '../../use-sending.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { type Import, importFile } from './import-api.ts'

export type WantedImport = Omit<Import, 'onProgress' | 'signal'>

/** Imports a file, and has everything be read anew that it has changed. */
export function useImport(address: CollectionAddress) {
  const client = useQueryClient()
  return useSending(
    (wanted: WantedImport, how) => importFile(address, { ...wanted, ...how }),
    (_, { isCheck }) => isCheck || client.invalidateQueries({ queryKey: ['apps', address.slug] }),
  )
}
