import type { ImportRequest } from './import-requests.ts'
import type { WriteRequest } from './requests.ts'
import { anyDocumentSlot, collectionSlot, documentSlot, idKey } from './seqlock-table.ts'
import type { StepRequest, UpkeepRequest } from './upkeep-requests.ts'

/**
 * The slots of what some writes may have changed. A document with an id that was assigned, or that an upsert made, was
 * nowhere before, so that nobody can have kept it: its collection alone is touched.
 */
export function writeSet(requests: Iterable<WriteRequest | StepRequest>): ReadonlySet<number> {
  const slots = new Set<number>()
  for (const request of requests) for (const slot of allSlotsOf(request)) slots.add(slot)
  return slots
}

function allSlotsOf(request: WriteRequest | StepRequest): number[] {
  if (request.kind === 'import') return importSlots(request)
  return request.kind === 'upkeep' ? upkeepSlots(request) : slotsOf(request)
}

/** Of every name that is another collection's from then on. What is in the bin nobody reads. */
function upkeepSlots(request: UpkeepRequest): number[] {
  const { app } = request
  const names = 'collection' in request ? [request.collection] : []
  if (request.step === 'rename') names.push(request.to)
  return names.flatMap((collection) => [
    collectionSlot({ app, collection }),
    anyDocumentSlot({ app, collection }),
  ])
}

/** What an import stages is nothing that anybody reads. */
function importSlots(request: ImportRequest): number[] {
  if (request.step !== 'whole' && request.step !== 'finish') return []
  return [collectionSlot(request), anyDocumentSlot(request)]
}

function slotsOf(request: WriteRequest): number[] {
  return [collectionSlot(request), ...documentSlots(request)]
}

function documentSlots(request: WriteRequest): number[] {
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
      return [anyDocumentSlot(request)]
    default:
      return request satisfies never
  }
}
