import type { ImportRequest } from './import-requests.ts'
import type { WriteRequest } from './requests.ts'
import { anyDocumentSlot, collectionSlot, documentSlot, idKey } from './seqlock-table.ts'

/**
 * The slots of what some writes may have changed. A document with an id that was assigned, or that an upsert made, was
 * nowhere before, so that nobody can have kept it: its collection alone is touched.
 */
export function writeSet(requests: Iterable<WriteRequest | ImportRequest>): ReadonlySet<number> {
  const slots = new Set<number>()
  for (const request of requests) {
    slots.add(collectionSlot(request))
    for (const slot of documentSlots(request)) slots.add(slot)
  }
  return slots
}

function documentSlots(request: WriteRequest | ImportRequest): number[] {
  switch (request.kind) {
    case 'save':
      return request.documents.flatMap(({ id }) =>
        id === undefined ? [] : [documentSlot(request, idKey(id))],
      )
    case 'updateOne':
    case 'deleteOne':
      // A path's meanings are all written alike.
      return request.ids.map((id) => documentSlot(request, idKey(id)))
    case 'updateMany':
    case 'deleteMany':
    case 'drop':
    case 'import':
      return [anyDocumentSlot(request)]
    default:
      return request satisfies never
  }
}
