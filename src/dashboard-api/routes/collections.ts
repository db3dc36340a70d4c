import type { Principal } from '../../domain/principal.ts'
import { AppError } from '../../errors.ts'
import { binCollection } from '../../operations/bin-collection.ts'
import type { CollectionInput, OperationContext } from '../../operations/context.ts'
import { emptyCollection } from '../../operations/empty-collection.ts'
import { listBin } from '../../operations/list-bin.ts'
import { removeFromBin } from '../../operations/remove-from-bin.ts'
import { renameCollection } from '../../operations/rename-collection.ts'
import {
  type BinInput,
  type RestoredCollection,
  restoreCollection,
} from '../../operations/restore-collection.ts'
import type { CollectionNote } from '../../storage/account-notes.ts'
import type { BinEntry } from '../../storage/collection-store.ts'
import type { DashboardRequest } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'
import { doneReply, jsonReply } from '../replies.ts'

/** Collections as a whole, and the bin of an app. */
export const COLLECTION_ROUTES: DashboardRoutes = withoutParameters({
  'POST /apps/{app}/collections/{collection}/rename': async (request) => {
    const { name: to } = await request.fields({ name: 'text' })
    const of = collectionOf(request)
    const renamed = await changed(request, 'collection.rename', {
      work: (context, principal) => renameCollection(context, principal, { ...of, name: to }),
      note: ({ name, documents }) => ({ collection: of.collection, documents, name }),
    })
    return jsonReply(200, renamed)
  },
  'POST /apps/{app}/collections/{collection}/empty': async (request) => {
    await request.noFields()
    const of = collectionOf(request)
    const entry = await changed(request, 'collection.empty', {
      work: (context, principal) => emptyCollection(context, principal, of),
      note: (emptied) => emptied && noteOf(emptied),
    })
    return jsonReply(200, entry)
  },
  'POST /apps/{app}/collections/{collection}/drop': async (request) => {
    await request.noFields()
    const of = collectionOf(request)
    const entry = await changed(request, 'collection.drop', {
      work: (context, principal) => binCollection(context, principal, of),
      note: noteOf,
    })
    return jsonReply(200, entry)
  },
  'GET /apps/{app}/bin': async (request) => {
    const of = { app: request.name('app') }
    return jsonReply(
      200,
      await request.inApp(of.app, (context, principal) => listBin(context, principal, of)),
    )
  },
  'POST /apps/{app}/bin/{id}/restore': async (request) => {
    const { as } = await request.fields({ as: 'text?' })
    const entry = entryOf(request)
    const { name, documents } = await changed<RestoredCollection>(request, 'collection.restore', {
      work: (context, principal) => restoreCollection(context, principal, { ...entry, as }),
      note: (restored) => ({
        ...noteOf({ id: entry.id, name: restored.formerName, documents: restored.documents }),
        ...(restored.name !== restored.formerName && { name: restored.name }),
      }),
    })
    return jsonReply(200, { name, documents })
  },
  'DELETE /apps/{app}/bin/{id}': async (request) => {
    await request.noFields()
    const entry = entryOf(request)
    await changed(request, 'collection.remove', {
      work: (context, principal) => removeFromBin(context, principal, entry),
      note: (removed) => noteOf({ ...removed, id: entry.id }),
    })
    return doneReply()
  },
})

/** Who sends a query here means some of the documents, and would lose them all. */
function withoutParameters(routes: DashboardRoutes): DashboardRoutes {
  return Object.fromEntries(
    Object.entries(routes).map(([path, handle]) => [path, Object.assign(handle, { parameters: [] })]),
  )
}

type Note = Omit<CollectionNote, 'action' | 'app'>

interface Change<Result> {
  readonly work: (context: OperationContext, principal: Principal) => Promise<Result>
  /** What the audit trail has of it; null where nothing was done. */
  readonly note: (
    result: Result,
  ) => Pick<CollectionNote, 'collection' | 'documents' | 'name' | 'binId'> | null
}

/** Does something to a collection where the documents are, and has it written down where the accounts are. */
async function changed<Result>(
  request: DashboardRequest,
  action: CollectionNote['action'],
  { work, note }: Change<Result>,
): Promise<Result> {
  const app = request.name('app')
  await request.call('approveCollectionChange', { app, isFinal: action === 'collection.remove' })
  const result = await request.inApp(app, work)
  const noted = note(result)
  // It was counted as a change already.
  if (noted !== null) await request.look('noteCollectionChange', { action, app, ...noted })
  return result
}

/** Of what was put into the bin, or taken out. */
function noteOf({ id, name, documents }: Pick<BinEntry, 'id' | 'name' | 'documents'>): Note {
  return { collection: name, documents, binId: id }
}

function collectionOf(request: DashboardRequest): CollectionInput {
  return { app: request.name('app'), collection: request.name('collection') }
}

/** @throws AppError `collection_not_found` */
function entryOf(request: DashboardRequest): BinInput {
  const id = request.name('id')
  if (/^\d{1,15}$/.test(id)) return { app: request.name('app'), id: Number(id) }
  throw new AppError('collection_not_found', 'the bin has no such collection; list it to see what it has')
}
