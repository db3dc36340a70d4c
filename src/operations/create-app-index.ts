import { collectionName } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import { indexName, parseIndexFields } from '../query/index-fields.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext, IndexedCollection } from './context.ts'
import { type DescribedIndex, describeIndex } from './describe-index.ts'
import { requireRoomOf } from './require-room-of.ts'

export interface CreateAppIndexInput extends IndexedCollection {
  /** As `parseIndexFields` reads them. */
  readonly fields: string
  readonly unique?: boolean | undefined
}

/**
 * Makes an index, and answers when that has begun: `listAppIndexes` tells how far it is. One that can't be unique stays, as
 * failed and with the reason, until it is dropped or asked for again.
 * @throws AppError `app_not_found`, `permission_denied`, `quota_exceeded`, `invalid_name`, and as `parseIndexFields` and the
 * store do
 */
export async function createAppIndex(
  context: Pick<AccountsContext, 'accounts' | 'indexes' | 'quotaUses' | 'limits' | 'now'>,
  caller: AccountCaller,
  input: CreateAppIndexInput,
): Promise<DescribedIndex> {
  const { accounts, indexes, limits, now } = context
  const need = { slug: input.app, role: 'editor', permission: 'apps' } as const
  const { app } = await authoriseCaller({ accounts }, caller, need)
  const fields = parseIndexFields(input.fields, limits)
  const name = indexName(fields)
  const collection = collectionName(input.collection)
  const isUnique = input.unique === true
  await requireRoomOf(context, caller, { owner: app.owner, bytes: 1 })
  await indexes.create({ app: app.id, collection, name, fields, isUnique, isAutomatic: false, now: now() })
  const note = { action: 'index.create', app: app.id, collection, fields: name, isUnique } as const
  await accounts.noteIndex(note, actorOf(caller))
  const made = (await indexes.list(app.id)).find(
    (index) => index.collection === collection && index.name === name,
  )
  if (made === undefined) throw new AppError('index_not_found', 'the index was dropped while it was made')
  return describeIndex(made)
}
