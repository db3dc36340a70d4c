import { collectionName } from '../domain/names.ts'
import type { Principal } from '../domain/principal.ts'
import { authorise, requirePermission } from './authorise.ts'
import type { OperationContext } from './context.ts'
import type { AppInput } from './open-app.ts'
import type { RenamedCollection } from './rename-collection.ts'

export interface BinInput extends AppInput {
  /** Of an entry of the bin. */
  readonly id: number
}

export interface RestoredCollection extends RenamedCollection {
  /** As it was called. */
  readonly formerName: string
}

/**
 * Brings a collection back from the bin, under its name or another one.
 * @throws AppError for the app and the name as their readers do, and what the store throws
 */
export async function restoreCollection(
  context: OperationContext,
  principal: Principal,
  { app, id, as }: BinInput & { readonly as?: string | undefined },
): Promise<RestoredCollection> {
  const address = { app: authorise(context, principal, app, 'create').id, id }
  // One without documents may have to go for it.
  requirePermission(principal, ['delete'])
  const name = as === undefined ? undefined : collectionName(as)
  const { name: formerName, documents } = await context.store.collections.restore({
    ...address,
    as: name,
    now: context.now(),
  })
  return { name: name ?? formerName, formerName, documents }
}
