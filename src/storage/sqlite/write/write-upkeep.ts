import type { UpkeepRequest } from '../protocol/upkeep-requests.ts'
import { moveToBin, removeFromBin, renameCollection, restoreFromBin } from './bin.ts'
import { sweepCollections } from './sweep-collections.ts'
import type { WriteContext } from './write-context.ts'

/** Carries out what is done to collections as a whole. */
export function performUpkeep(context: WriteContext, request: UpkeepRequest): unknown {
  switch (request.step) {
    case 'rename':
      return renameCollection(context, request)
    case 'bin':
      return moveToBin(context, request)
    case 'restore':
      return restoreFromBin(context, request)
    case 'remove':
      return removeFromBin(context, request)
    case 'sweep':
      return sweepCollections(context, request)
    default:
      return request satisfies never
  }
}
